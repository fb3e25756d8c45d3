import type { Environment } from "#platform/environment.ts";

/** Attempts are counted over so many seconds. */
const ATTEMPT_WINDOW_S = 300;
export const ATTEMPTS_PER_USER_MAX = 10;
export const ATTEMPTS_PER_ADDRESS_MAX = 50;
/** How many users and addresses are counted at a time; further ones wait until one is over. */
export const KEYS_MAX = 20_000;

interface Count {
  attempts: number;
  readonly endsMs: number;
}

/** Slows down whoever guesses. Counts are in memory: a restart forgives. */
export interface RateLimit {
  /**
   * Counts an attempt. Answers how many seconds to wait when it is one too many, or when there is
   * no room to count it, or else 0.
   */
  readonly attempt: (key: string, max: number) => number;
  readonly forgive: (key: string) => void;
}

export function createRateLimit({ now }: Environment): RateLimit {
  const counts = new Map<string, Count>();
  return {
    attempt(key, max) {
      const nowMs = now().getTime();
      const known = counts.get(key);
      if (known === undefined || known.endsMs <= nowMs) {
        dropEnded(counts, nowMs);
        const [oldest] = counts.values();
        if (counts.size >= KEYS_MAX && oldest !== undefined) return secondsTo(oldest, nowMs);
        counts.set(key, { attempts: 1, endsMs: nowMs + ATTEMPT_WINDOW_S * 1000 });
        return 0;
      }
      known.attempts += 1;
      return known.attempts > max ? secondsTo(known, nowMs) : 0;
    },
    forgive: (key) => void counts.delete(key),
  };
}

function secondsTo({ endsMs }: Count, nowMs: number): number {
  return Math.ceil((endsMs - nowMs) / 1000);
}

/**
 * Counts are in the order in which they end, so those that are over come first. Those that are
 * not stay, however many there are: else whoever is slowed down would only have to make noise.
 */
function dropEnded(counts: Map<string, Count>, nowMs: number): void {
  for (const [key, { endsMs }] of counts) {
    if (endsMs > nowMs) return;
    counts.delete(key);
  }
}
