import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import { toProblem } from "#platform/http/app.ts";
import { bearerToken } from "#platform/http/authenticate.ts";
import type { Context } from "../context.ts";
import { profileOf } from "../tokens/issue.ts";
import { issuerOf, type Issuer } from "../tokens/issuers.ts";
import { KEYS_CACHED_S } from "../tokens/lifetimes.ts";
import type { Verifier } from "../tokens/verify.ts";
import { sentForm } from "../forms.ts";
import { authenticateClient, findClient } from "./clients.ts";
import { DEVICE_INTERVAL_S, DEVICE_LIFETIME_S, issueDeviceCode } from "./device-codes.ts";
import { discoveryOf } from "./discovery.ts";
import { grantToken } from "./grants.ts";
import { invalidRequest, readParameters, refuseRepeated, requireParameter } from "./parameters.ts";
import { parseTarget } from "./target.ts";

type App = Parameters<FastifyPluginAsyncTypebox>[0];

const ANONYMOUS = { config: { access: "anonymous" } } as const;
const OWN = { config: { access: "own" } } as const;
/** Any page may call these: they take no cookies and tell nobody who the user is. */
const ANY_ORIGIN = { "access-control-allow-origin": "*" };
const UNKEPT = { "cache-control": "no-store", pragma: "no-cache" };

/** What programs call: documents, keys, tokens, device codes, userinfo. */
export function oauthRoutes(context: Context, verifier: Verifier): FastifyPluginAsyncTypebox {
  return async function routes(app) {
    app.setErrorHandler(refuseAsOauth);
    documentRoutes(app, context);
    tokenRoutes(app, context);
    app.get("/oidc/userinfo", OWN, (request, reply) => userinfo(verifier, request, reply));
    app.post("/oidc/userinfo", OWN, (request, reply) => userinfo(verifier, request, reply));
  };
}

function documentRoutes(app: App, context: Context): void {
  const document = ".well-known/openid-configuration";
  app.get(`/${document}`, ANONYMOUS, (request, reply) =>
    sendCached(reply, discoveryOf(context, requireIssuer(context, request, false))),
  );
  app.get(`/:tenant/${document}`, ANONYMOUS, (request, reply) =>
    sendCached(reply, discoveryOf(context, requireIssuer(context, request, false))),
  );
  app.get(`/:tenant/v2.0/${document}`, ANONYMOUS, (request, reply) =>
    sendCached(reply, discoveryOf(context, requireIssuer(context, request, true))),
  );
  for (const path of ["/:tenant/discovery/keys", "/:tenant/discovery/v2.0/keys"]) {
    app.get(path, ANONYMOUS, async (request, reply) => {
      requireIssuer(context, request, false);
      const keys = await context.keys.published();
      return sendCached(reply, { keys: keys.map(({ publicJwk }) => publicJwk) });
    });
  }
}

function tokenRoutes(app: App, context: Context): void {
  for (const { base, isV2 } of VERSIONS) {
    app.post(`${base}/token`, ANONYMOUS, async (request, reply) => {
      const issuer = requireIssuer(context, request, isV2);
      const parameters = readParameters(sentForm(request));
      refuseRepeated(parameters);
      requireParameter(parameters, "grant_type");
      const client = authenticateClient(context, request, parameters);
      const token = await grantToken(context, { issuer, client, parameters });
      return reply.headers({ ...UNKEPT, ...ANY_ORIGIN }).send(token);
    });
    app.post(`${base}/devicecode`, ANONYMOUS, async (request, reply) => {
      requireIssuer(context, request, isV2);
      return reply.headers(UNKEPT).send(await startDevice(context, request));
    });
  }
}

/** Paths of the two versions of the protocol's endpoints. */
export const VERSIONS = [
  { base: "/:tenant/oauth2", isV2: false },
  { base: "/:tenant/oauth2/v2.0", isV2: true },
] as const;

/** The issuer that a path names, or a refusal of an unknown tenant. */
export function requireIssuer(context: Context, request: FastifyRequest, isV2: boolean): Issuer {
  const tenant = tenantOf(request.params);
  const issuer = issuerOf(context, tenant, isV2);
  if (issuer !== undefined) return issuer;
  throw invalidRequest(
    `There is no tenant "${tenant}" here; there are ${context.tenantId}, common, organizations.`,
  );
}

function tenantOf(params: unknown): string {
  const isNamed = typeof params === "object" && params !== null && "tenant" in params;
  return isNamed ? String(params.tenant) : "common";
}

/** RFC 8628, section 3.2. */
async function startDevice(context: Context, request: FastifyRequest) {
  const parameters = readParameters(sentForm(request));
  refuseRepeated(parameters);
  const name = requireParameter(parameters, "client_id");
  const client = findClient(context.directory, name);
  if (client === undefined) throw invalidRequest(`There is no application "${name}".`);
  const content = { target: parseTarget(context, parameters), clientName: client.name };
  const { deviceCode, userCode } = await issueDeviceCode(context, client, {
    content,
    address: request.ip,
  });
  const page = `${context.authUrl()}/device`;
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    // The same under its name in the first version.
    verification_url: page,
    expires_in: DEVICE_LIFETIME_S,
    interval: DEVICE_INTERVAL_S,
    message: `To sign in, open ${page} in a browser and enter the code ${userCode}.`,
  };
}

/** OpenID Connect Core, section 5.3: for tokens of this server that were asked for with openid. */
async function userinfo(verifier: Verifier, request: FastifyRequest, reply: FastifyReply) {
  const token = bearerToken(request.headers.authorization);
  if (token === undefined) return challenge(reply, 401, "");
  const { claims, principal } = await verifier.verifyOwn(token);
  const scopes = typeof claims["scp"] === "string" ? claims["scp"].split(" ") : [];
  if (!scopes.includes("openid")) return challenge(reply, 403, ' error="insufficient_scope"');
  return reply.headers(UNKEPT).send({ sub: principal.id, ...profileOf(principal) });
}

function challenge(reply: FastifyReply, status: number, error: string) {
  const name = status === 401 ? "invalid_token" : "insufficient_scope";
  const sentence = "The token has to be asked for with the scope openid.";
  return reply
    .code(status)
    .header("www-authenticate", `Bearer${error}`)
    .send({ error: name, error_description: sentence });
}

function sendCached(reply: FastifyReply, content: object) {
  const cache = { "cache-control": `public, max-age=${KEYS_CACHED_S}` };
  return reply.headers({ ...cache, ...ANY_ORIGIN }).send(content);
}

/** RFC 6749, section 5.2. */
function refuseAsOauth(error: unknown, _request: FastifyRequest, reply: FastifyReply) {
  const { statusCode, code, message, detail } = toProblem(error);
  const isOwn = /^[a-z_]+$/.test(code);
  const fallback = statusCode >= 500 ? "server_error" : "invalid_request";
  const isToken = code === "InvalidAuthenticationToken";
  const name = isToken ? "invalid_token" : fallback;
  return reply
    .code(statusCode)
    .headers({ ...UNKEPT, ...ANY_ORIGIN, ...detail.headers })
    .headers(isToken ? { "www-authenticate": 'Bearer error="invalid_token"' } : {})
    .send({ error: isOwn ? code : name, error_description: message });
}
