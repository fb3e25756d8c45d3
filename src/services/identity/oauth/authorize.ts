import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "#platform/problem.ts";
import type { Context } from "../context.ts";
import { sessionCookie } from "../login/cookies.ts";
import { findSession, type Session } from "../login/sessions.ts";
import { showLogin } from "../login/show-login.ts";
import { nameKey } from "../principals/principal.ts";
import { issueAccessToken, issueIdToken } from "../tokens/issue.ts";
import type { Issuer } from "../tokens/issuers.ts";
import { answerClient } from "./answer-client.ts";
import {
  modeOfRefusal,
  readAuthorizeRequest,
  readDestination,
  type AuthorizeRequest,
} from "./authorize-request.ts";
import { readParameters } from "./parameters.ts";
import { issueTicket } from "./tickets.ts";

export interface Visit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The authorization request, as a URL of this server. */
  readonly url: URL;
}

type Fields = Readonly<Record<string, string | undefined>>;

/** Answers the client, or lets the user sign in first. */
export async function authorize(context: Context, issuer: Issuer, visit: Visit) {
  return respond(context, visit, async (asked) => {
    const session = await findSession(context, sessionCookie(visit.request));
    if (session !== undefined && suffices(context, asked, session)) {
      return grant(context, issuer, asked, session);
    }
    if (!asked.prompt.has("none")) return undefined;
    throw new Problem(400, "login_required", "The user is not signed in, or has to sign in again.");
  });
}

/** The user does not want to: tells the client. */
export async function refuseAuthorize(context: Context, visit: Visit) {
  return respond(context, visit, async () => {
    throw new Problem(400, "access_denied", "The user has cancelled the sign-in.");
  });
}

/** Sends what `decide` makes of the request; undefined lets the user sign in. */
async function respond(
  context: Context,
  visit: Visit,
  decide: (asked: AuthorizeRequest) => Promise<Fields | undefined>,
): Promise<FastifyReply> {
  const { request, reply, url } = visit;
  const parameters = readParameters(url.searchParams);
  const destination = readDestination(context, parameters);
  const { redirectUri, state } = destination;
  try {
    const asked = readAuthorizeRequest(context, parameters, destination);
    const fields = await decide(asked);
    if (fields !== undefined) {
      return answerClient(reply, { redirectUri, mode: asked.mode, fields: { ...fields, state } });
    }
    const username = asked.loginHint ?? "";
    return showLogin(context, request, reply, { status: 200, returnTo: again(url), username });
  } catch (error) {
    const { code, message } = toRefusal(error, request);
    const fields = { error: code, error_description: message, state };
    return answerClient(reply, { redirectUri, mode: modeOfRefusal(parameters), fields });
  }
}

/** The same request once the user has signed in, which is then recent enough. */
function again(url: URL): URL {
  const next = new URL(url);
  for (const name of ["prompt", "max_age"]) next.searchParams.delete(name);
  return next;
}

function suffices(
  { environment }: Context,
  { prompt, maxAgeS, loginHint }: AuthorizeRequest,
  { user, signedInAt }: Session,
): boolean {
  if (prompt.has("login") || prompt.has("select_account")) return false;
  if (loginHint !== undefined && nameKey(loginHint) !== nameKey(user.name)) return false;
  const ageMs = environment.now().getTime() - signedInAt.getTime();
  return maxAgeS === undefined || ageMs <= maxAgeS * 1000;
}

async function grant(
  context: Context,
  issuer: Issuer,
  asked: AuthorizeRequest,
  { user, signedInAt }: Session,
): Promise<Fields> {
  const { client, nonce, parts, target } = asked;
  if (parts.has("code")) return { code: await codeFor(context, asked, { user, signedInAt }) };
  const request = {
    issuer,
    principal: user,
    clientId: client.principal.id,
    audience: target.audience,
    scopes: target.scp,
  };
  const accessToken = parts.has("token") ? await issueAccessToken(context, request) : undefined;
  const clientId = client.name;
  const idToken = parts.has("id_token")
    ? await issueIdToken(context, { issuer, user, clientId, signedInAt, nonce, accessToken })
    : undefined;
  return {
    ...(accessToken !== undefined && {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: String(context.tokenLifetimeS),
      scope: target.scope,
    }),
    id_token: idToken,
  };
}

async function codeFor(
  context: Context,
  { client, codeChallenge, nonce, redirectUri, target }: AuthorizeRequest,
  { user, signedInAt }: Session,
): Promise<string> {
  return issueTicket(context, {
    kind: "code",
    family: context.environment.newId(),
    principalId: user.id,
    clientId: client.principal.id,
    content: {
      target,
      clientName: client.name,
      signedInAt: signedInAt.toISOString(),
      redirectUri,
      ...(nonce !== undefined && { nonce }),
      ...(codeChallenge !== undefined && { codeChallenge }),
    },
  });
}

function toRefusal(error: unknown, request: FastifyRequest): Problem {
  const problem = error instanceof Problem ? error : serverError(error, request);
  // Redirects are answers of 302: what was refused shows in the request log all the same.
  request.problemCode = problem.code;
  return problem;
}

function serverError(error: unknown, request: FastifyRequest): Problem {
  request.log.error(error);
  return new Problem(500, "server_error", "Atoll failed to answer; its log holds the cause.");
}
