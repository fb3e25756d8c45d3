import { decodeProtectedHeader, jwtVerify, type JWK, type JWTPayload } from "jose";
import type { Environment } from "#platform/environment.ts";
import type { OutboundFetch } from "#platform/fetch/outbound-fetch.ts";
import { createExternalKeys } from "./external-keys.ts";
import { invalidToken, refusalOf } from "./invalid-token.ts";
import { CLOCK_TOLERANCE_S } from "./lifetimes.ts";

/** An OpenID Connect issuer whose tokens are accepted here. */
export interface ExternalIssuer {
  /** Byte for byte its `iss`. */
  readonly issuer: string;
  /** Its tokens count here when they are for one of these. */
  readonly audiences: readonly string[];
}

export interface ExternalVerifier {
  readonly knows: (issuer: string) => boolean;
  /** The claims of a good token; a `Problem` with 401, or 503 while its issuer cannot be asked. */
  readonly verify: (token: string, issuer: string) => Promise<JWTPayload>;
}

export interface ExternalOptions {
  readonly issuers: readonly ExternalIssuer[];
  readonly outbound: OutboundFetch;
  readonly environment: Environment;
}

export function createExternalVerifier(options: ExternalOptions): ExternalVerifier {
  const known = new Map(
    options.issuers.map(({ issuer, audiences }) => {
      return [issuer, { audiences, keys: createExternalKeys(issuer, options) }] as const;
    }),
  );

  return {
    knows: (issuer) => known.has(issuer),
    async verify(token, issuer) {
      const entry = known.get(issuer);
      if (entry === undefined) throw invalidToken(`The issuer "${issuer}" is not accepted here.`);
      const audiences = [...entry.audiences];
      try {
        const key = await entry.keys.find(decodeProtectedHeader(token).kid);
        const { payload } = await jwtVerify(token, key, {
          algorithms: [algorithmOf(key)],
          issuer,
          audience: audiences,
          requiredClaims: ["exp", "sub"],
          clockTolerance: CLOCK_TOLERANCE_S,
          currentDate: options.environment.now(),
        });
        return payload;
      } catch (error) {
        throw refusalOf(error, audiences);
      }
    },
  };
}

/** The one algorithm that a key is for. Whatever the token says, it is none other. */
function algorithmOf({ kty, crv, alg }: JWK): string {
  if (kty === "RSA" && (alg === undefined || alg === "RS256")) return "RS256";
  if (kty === "RSA" && alg === "PS256") return "PS256";
  if (kty === "EC" && crv === "P-256" && (alg === undefined || alg === "ES256")) return "ES256";
  throw invalidToken("The token's key is for none of RS256, PS256 and ES256.");
}
