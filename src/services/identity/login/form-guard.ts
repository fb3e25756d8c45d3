import { createHmac, timingSafeEqual } from "node:crypto";
import type { Environment } from "#platform/environment.ts";
import { newSecret } from "../secrets.ts";

/** How long a form may lie open, in seconds. */
export const FORM_LIFETIME_S = 3600;
/** Shape of the cookie: when it was made, in seconds, and a secret. */
const COOKIE = /^(\d{1,12})\.([\w-]{43})$/;

/** What a form carries, and the cookie that it belongs to. */
export interface FormTicket {
  readonly cookie: string;
  readonly token: string;
}

/**
 * Proves that a form that is sent was shown by this server to the same browser. Its hidden token
 * follows from the cookie and a key of this process, so that knowing a cookie, or choosing one, is
 * not enough to compute its token.
 */
export interface FormGuard {
  /** A ticket for a form: on the browser's own cookie as long as that one is good. */
  readonly issue: (cookie: string | undefined) => FormTicket;
  readonly accepts: (cookie: string | undefined, token: string | undefined) => boolean;
  /** Whoever has signed in used the ticket up: the form cannot be sent again. */
  readonly spend: (cookie: string | undefined) => void;
}

export function createFormGuard(environment: Environment): FormGuard {
  /** Cookies that are used up, by the second at which they end anyway. */
  const spent = new Map<string, number>();
  const key = newSecret(environment);
  const tokenOf = (cookie: string) => createHmac("sha256", key).update(cookie).digest("base64url");
  const nowS = () => Math.floor(environment.now().getTime() / 1000);

  function isGood(cookie: string | undefined): cookie is string {
    const made = Number(COOKIE.exec(cookie ?? "")?.[1] ?? Number.NaN);
    const age = nowS() - made;
    return cookie !== undefined && age >= 0 && age < FORM_LIFETIME_S && !spent.has(cookie);
  }

  return {
    issue(cookie) {
      const kept = isGood(cookie) ? cookie : `${nowS()}.${newSecret(environment)}`;
      return { cookie: kept, token: tokenOf(kept) };
    },
    accepts(cookie, token) {
      return isGood(cookie) && token !== undefined && sameText(token, tokenOf(cookie));
    },
    spend(cookie) {
      if (!isGood(cookie)) return;
      const now = nowS();
      for (const [old, ends] of spent) if (ends < now) spent.delete(old);
      spent.set(cookie, now + FORM_LIFETIME_S);
    },
  };
}

function sameText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
