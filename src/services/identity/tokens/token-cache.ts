import type { JWTPayload } from "jose";

/** How many verified tokens are remembered. */
const CACHED_MAX = 2000;
/** However long a token is valid, its signature is checked again after so many seconds. */
const CACHED_S = 300;

export interface VerifiedToken {
  readonly claims: JWTPayload;
  /** The external issuer; undefined for a token of ours. */
  readonly external: string | undefined;
}

interface Entry extends VerifiedToken {
  readonly until: number;
}

export interface TokenCache {
  readonly get: (token: string, nowS: number) => VerifiedToken | undefined;
  readonly put: (token: string, verified: VerifiedToken, nowS: number) => void;
}

/** Tokens whose signature, issuer and times were found good; nothing else is decided by it. */
export function createTokenCache(): TokenCache {
  const entries = new Map<string, Entry>();
  return {
    get(token, nowS) {
      const entry = entries.get(token);
      if (entry === undefined) return undefined;
      if (entry.until > nowS) return entry;
      entries.delete(token);
      return undefined;
    },
    put(token, verified, nowS) {
      const { exp = 0 } = verified.claims;
      const [oldest] = entries.keys();
      if (entries.size >= CACHED_MAX && oldest !== undefined) entries.delete(oldest);
      entries.set(token, { ...verified, until: Math.min(exp, nowS + CACHED_S) });
    },
  };
}
