import { Problem } from "#platform/problem.ts";
import type { Context } from "../context.ts";
import type { Principal } from "../principals/principal.ts";
import type { Issuer } from "../tokens/issuers.ts";
import { issueAccessToken, issueIdToken } from "../tokens/issue.ts";
import type { Client } from "./clients.ts";
import { pollDevice } from "./device-codes.ts";
import { requireParameter, type Parameters } from "./parameters.ts";
import { isProven } from "./proof-key.ts";
import { parseTarget } from "./target.ts";
import { issueTicket, takeTicket, type Ticket, type TicketContent } from "./tickets.ts";

export interface GrantRequest {
  readonly issuer: Issuer;
  readonly client: Client;
  readonly parameters: Parameters;
}

/** RFC 6749, section 5.1; `expires_on` and `resource` are of the first version's answers. */
export interface TokenAnswer {
  readonly token_type: "Bearer";
  readonly access_token: string;
  readonly expires_in: number;
  readonly expires_on: number;
  readonly resource: string;
  readonly scope?: string;
  readonly id_token?: string;
  readonly refresh_token?: string;
}

type Grant = (context: Context, request: GrantRequest) => Promise<TokenAnswer>;

const DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code";

const GRANTS: Readonly<Record<string, Grant>> = {
  client_credentials: byClientCredentials,
  authorization_code: byCode,
  refresh_token: byRefreshToken,
  [DEVICE_CODE]: byDeviceCode,
  // The same under its name in the first version.
  device_code: byDeviceCode,
};

export const GRANT_TYPES = [
  "authorization_code",
  "client_credentials",
  "implicit",
  "refresh_token",
  DEVICE_CODE,
];

export async function grantToken(context: Context, request: GrantRequest): Promise<TokenAnswer> {
  const name = requireParameter(request.parameters, "grant_type");
  const grant = Object.hasOwn(GRANTS, name) ? GRANTS[name] : undefined;
  if (grant !== undefined) return grant(context, request);
  throw new Problem(400, "unsupported_grant_type", `The grant_type "${name}" is not served.`);
}

/** RFC 6749, section 4.4: an application on its own behalf. */
async function byClientCredentials(
  context: Context,
  { issuer, client, parameters }: GrantRequest,
): Promise<TokenAnswer> {
  const { principal } = client;
  if (principal.publicClient) {
    const sentence = `The client "${client.name}" is public: it has no secret to prove itself by.`;
    throw new Problem(400, "unauthorized_client", sentence);
  }
  const { audience } = parseTarget(context, parameters);
  const clientId = principal.id;
  const request = { issuer, principal, clientId, audience, scopes: undefined };
  return answer(context, audience, await issueAccessToken(context, request));
}

async function byCode(context: Context, request: GrantRequest): Promise<TokenAnswer> {
  const { client, parameters } = request;
  const code = requireParameter(parameters, "code");
  const ticket = await takeTicket(context, "code", code, isOf(client));
  const wrong = "The code is not known, was used already, or is older than a minute.";
  if (ticket === undefined) throw invalidGrant(wrong);
  const { redirectUri, codeChallenge } = ticket.content;
  if (parameters.get("redirect_uri") !== redirectUri) {
    throw invalidGrant("The redirect_uri is not the one of the authorization request.");
  }
  if (!isProven(codeChallenge, parameters.get("code_verifier"))) {
    throw invalidGrant("The code_verifier does not match the code_challenge.");
  }
  return delegated(context, request, ticket);
}

async function byRefreshToken(context: Context, request: GrantRequest): Promise<TokenAnswer> {
  const { client, parameters } = request;
  const secret = requireParameter(parameters, "refresh_token");
  // Checked first: a request that is wrong does not use the token up.
  parseTarget(context, parameters);
  const ticket = await takeTicket(context, "refresh", secret, isOf(client));
  if (ticket === undefined) {
    throw invalidGrant("The refresh_token is not known, was used already, or is over.");
  }
  const before = ticket.content.target;
  const target = { ...parseTarget(context, parameters, before), offline: true };
  return delegated(context, request, { ...ticket, content: { ...ticket.content, target } });
}

async function byDeviceCode(context: Context, request: GrantRequest): Promise<TokenAnswer> {
  const { client, parameters } = request;
  const name = parameters.get("device_code") === undefined ? "code" : "device_code";
  const code = parameters.get(name);
  if (code === undefined) requireParameter(parameters, "device_code");
  const { principalId, content } = await pollDevice(context, client, code ?? "");
  const family = context.environment.newId();
  return delegated(context, request, { principalId, content, family });
}

type Approval = Pick<Ticket, "principalId" | "content" | "family">;

/** The tokens of an application that acts for a user. */
async function delegated(
  context: Context,
  { issuer, client }: GrantRequest,
  { principalId, content, family }: Approval,
): Promise<TokenAnswer> {
  const user = context.directory.get(principalId);
  if (user?.enabled !== true) throw invalidGrant("The user does not exist or is disabled.");
  const { target } = content;
  const accessToken = await issueAccessToken(context, {
    issuer,
    principal: user,
    clientId: client.principal.id,
    audience: target.audience,
    scopes: target.scp,
  });
  const idToken = await idTokenFor(context, { issuer, client, user, content, accessToken });
  const refreshToken = target.offline
    ? await issueTicket(context, {
        kind: "refresh",
        family,
        principalId,
        clientId: client.principal.id,
        content: renewable(content),
      })
    : undefined;
  return {
    ...answer(context, target.audience, accessToken),
    scope: target.scope,
    ...(idToken !== undefined && { id_token: idToken }),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
  };
}

interface IdTokenNeeds {
  readonly issuer: Issuer;
  readonly client: Client;
  readonly user: Principal;
  readonly content: TicketContent;
  readonly accessToken: string;
}

async function idTokenFor(context: Context, needs: IdTokenNeeds): Promise<string | undefined> {
  const { issuer, client, user, content, accessToken } = needs;
  if (!content.target.openid) return undefined;
  const { nonce, signedInAt } = content;
  return issueIdToken(context, {
    issuer,
    user,
    clientId: client.name,
    nonce,
    signedInAt: signedInAt === undefined ? undefined : new Date(signedInAt),
    accessToken,
  });
}

/** What a refresh token keeps of the sign-in that it follows from. */
function renewable({ target, clientName, signedInAt }: TicketContent): TicketContent {
  return { target, clientName, ...(signedInAt !== undefined && { signedInAt }) };
}

function answer(context: Context, audience: string, accessToken: string): TokenAnswer {
  const { environment, tokenLifetimeS } = context;
  const nowS = Math.floor(environment.now().getTime() / 1000);
  return {
    token_type: "Bearer",
    access_token: accessToken,
    expires_in: tokenLifetimeS,
    expires_on: nowS + tokenLifetimeS,
    resource: audience,
  };
}

function isOf(client: Client) {
  return ({ clientId }: Ticket) => clientId === client.principal.id;
}

function invalidGrant(sentence: string): Problem {
  return new Problem(400, "invalid_grant", sentence);
}
