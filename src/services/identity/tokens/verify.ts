import { decodeJwt, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from "jose";
import type { Caller } from "#platform/auth/caller.ts";
import type { Context } from "../context.ts";
import type { Principal } from "../principals/principal.ts";
import { sameResource } from "./audiences.ts";
import type { ExternalVerifier } from "./external.ts";
import { invalidToken, refusalOf } from "./invalid-token.ts";
import { issuersOf } from "./issuers.ts";
import { CLOCK_TOLERANCE_S } from "./lifetimes.ts";
import { createTokenCache, type VerifiedToken } from "./token-cache.ts";

/** A token may not be longer, in characters. */
const TOKEN_LENGTH_MAX = 16_384;

export interface Verifier {
  /** The caller that a token for one of the audiences stands for; a 401 `Problem` otherwise. */
  readonly verifyToken: (token: string, audiences: readonly string[]) => Promise<Caller>;
  /** The claims of an access token of ours, whatever it is for. */
  readonly verifyOwn: (token: string) => Promise<{ claims: JWTPayload; principal: Principal }>;
}

type Needs = Pick<Context, "authUrl" | "directory" | "environment" | "keys" | "tenantId">;

export function createVerifier(context: Needs, external: ExternalVerifier): Verifier {
  const cache = createTokenCache();

  async function verified(token: string): Promise<VerifiedToken> {
    const nowS = Math.floor(context.environment.now().getTime() / 1000);
    const known = cache.get(token, nowS);
    if (known !== undefined) return known;
    const issuer = claimedIssuer(token);
    const found = external.knows(issuer)
      ? { claims: await external.verify(token, issuer), external: issuer }
      : { claims: await checkOwn(context, token), external: undefined };
    cache.put(token, found, nowS);
    return found;
  }

  async function verifyOwn(token: string) {
    const { claims, external: issuer } = await verified(token);
    if (issuer !== undefined)
      throw invalidToken(`The token is not of this server but of ${issuer}.`);
    return { claims, principal: ownPrincipal(context, claims) };
  }

  return {
    verifyOwn,
    async verifyToken(token, audiences) {
      const { claims, external: issuer } = await verified(token);
      if (issuer !== undefined) return callerOf(context, claims, linked(context, claims, issuer));
      requireAudience(claims, audiences);
      return callerOf(context, claims, ownPrincipal(context, claims));
    },
  };
}

/** What the token says of its issuer, which is believed only after the check. */
function claimedIssuer(token: string): string {
  if (token.length > TOKEN_LENGTH_MAX) {
    throw invalidToken(
      `The token has ${token.length} characters; ${TOKEN_LENGTH_MAX} is the most.`,
    );
  }
  try {
    return decodeJwt(token).iss ?? "";
  } catch (error) {
    throw refusalOf(error, []);
  }
}

async function checkOwn(context: Needs, token: string): Promise<JWTPayload> {
  const keyOf: JWTVerifyGetKey = ({ kid = "" }) => {
    const key = context.keys.find(kid);
    if (key === undefined) throw new errors.JWSSignatureVerificationFailed();
    return key.publicKey;
  };
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      // Pinned: what the token itself names is no reason to trust it.
      algorithms: ["RS256"],
      issuer: issuersOf(context).map(({ url }) => url),
      requiredClaims: ["exp", "nbf", "aud", "oid"],
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate: context.environment.now(),
    });
    requireAccessToken(payload);
    return payload;
  } catch (error) {
    throw refusalOf(error, []);
  }
}

/** An id token says who somebody is to a client; it opens nothing. */
function requireAccessToken(claims: JWTPayload): void {
  if (clientOf(claims) === undefined) throw invalidToken("This is no access token.");
}

function requireAudience({ aud = [] }: JWTPayload, audiences: readonly string[]): void {
  const seen = [aud].flat();
  if (audiences.some((wanted) => seen.some((name) => sameResource(name, wanted)))) return;
  throw invalidToken(
    `The token is for ${seen.join(", ")}; here it has to be for ${audiences.join(", ")}.`,
  );
}

function ownPrincipal({ directory }: Needs, { oid }: JWTPayload): Principal {
  const principal = typeof oid === "string" ? directory.get(oid) : undefined;
  if (principal === undefined) throw invalidToken("The principal of the token does not exist.");
  return requireEnabled(principal);
}

function linked({ directory }: Needs, claims: JWTPayload, issuer: string): Principal {
  // By `sub` alone, which an issuer never gives to two (OpenID Connect Core, section 2). Any other
  // claim may be of the user's own choosing there.
  const { sub = "" } = claims;
  const principal = directory.findLinked(issuer, sub);
  if (principal !== undefined) return requireEnabled(principal);
  throw invalidToken(
    `No principal is linked to the subject "${sub}" of the issuer "${issuer}"; ` +
      "set externalIssuer and externalSubject of the principal that it is.",
  );
}

function requireEnabled(principal: Principal): Principal {
  if (principal.enabled) return principal;
  throw invalidToken(`The principal ${principal.id} is disabled.`);
}

function callerOf({ tenantId }: Needs, claims: JWTPayload, principal: Principal): Caller {
  const clientId = clientOf(claims);
  return {
    objectId: principal.id,
    kind: principal.kind,
    tenantId,
    scheme: "bearer",
    ...(clientId !== undefined && { clientId }),
  };
}

function clientOf(claims: JWTPayload): string | undefined {
  const client = claims["appid"] ?? claims["azp"];
  return typeof client === "string" ? client : undefined;
}
