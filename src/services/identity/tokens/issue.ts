import { createHash } from "node:crypto";
import { SignJWT, type JWTPayload } from "jose";
import type { Context } from "../context.ts";
import type { Principal } from "../principals/principal.ts";
import type { Issuer } from "./issuers.ts";

/** More groups than these are not listed in a token; the access decision asks the directory. */
const GROUPS_CLAIM_MAX = 100;

export interface AccessTokenRequest {
  readonly issuer: Issuer;
  readonly principal: Principal;
  /** Id of the application that the token is issued to. */
  readonly clientId: string;
  /** As the client wrote it. */
  readonly audience: string;
  /** What a user's application may do; undefined for an application on its own behalf. */
  readonly scopes: readonly string[] | undefined;
}

export async function issueAccessToken(
  context: Context,
  { issuer, principal, clientId, audience, scopes }: AccessTokenRequest,
): Promise<string> {
  const groups = context.directory.groups.groupsOf(principal.id);
  return sign(context, {
    iss: issuer.url,
    aud: audience,
    sub: principal.id,
    oid: principal.id,
    tid: context.tenantId,
    ver: issuer.version,
    [issuer.version === "1.0" ? "appid" : "azp"]: clientId,
    idtyp: scopes === undefined ? "app" : "user",
    ...(scopes !== undefined && { scp: scopes.join(" "), ...profileOf(principal) }),
    ...(groups.length > 0 && groups.length <= GROUPS_CLAIM_MAX && { groups }),
  });
}

export interface IdTokenRequest {
  readonly issuer: Issuer;
  readonly user: Principal;
  /** As the client wrote it, because it compares the audience with that. */
  readonly clientId: string;
  readonly signedInAt: Date | undefined;
  readonly nonce: string | undefined;
  /** The access token that it comes with. */
  readonly accessToken: string | undefined;
}

export async function issueIdToken(
  context: Context,
  { issuer, user, clientId, signedInAt, nonce, accessToken }: IdTokenRequest,
): Promise<string> {
  return sign(context, {
    iss: issuer.url,
    aud: clientId,
    sub: user.id,
    oid: user.id,
    tid: context.tenantId,
    ver: issuer.version,
    ...profileOf(user),
    ...(nonce !== undefined && { nonce }),
    ...(signedInAt !== undefined && { auth_time: seconds(signedInAt) }),
    ...(accessToken !== undefined && { at_hash: halfHash(accessToken) }),
  });
}

/** What tokens and userinfo tell about a person. */
export function profileOf({ name, displayName }: Principal) {
  return {
    name: displayName,
    preferred_username: name,
    ...(name.includes("@") && { email: name }),
  };
}

async function sign(context: Context, claims: JWTPayload): Promise<string> {
  const { environment, keys, tokenLifetimeS } = context;
  const { kid, privateKey } = await keys.signer();
  const now = seconds(environment.now());
  return new SignJWT({ ...claims, jti: environment.newId() })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid })
    .setIssuedAt(now)
    .setNotBefore(now)
    .setExpirationTime(now + tokenLifetimeS)
    .sign(privateKey);
}

/** OpenID Connect Core 3.2.2.10: the left half of the hash, for tokens signed with RS256. */
function halfHash(token: string): string {
  const hash = createHash("sha256").update(token).digest();
  return hash.subarray(0, hash.length / 2).toString("base64url");
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
