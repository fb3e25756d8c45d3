import { OutboundError, toError } from "./outbound-error.ts";

export interface GateLimits {
  readonly parallelMax: number;
  readonly parallelPerHostMax: number;
  /** How many may wait; the next one is refused as busy. */
  readonly waitingMax: number;
}

/** Lets a limited number through at a time, in all and per host; the others wait in line. */
export interface Gate {
  /** Resolves to the function that frees the place; rejects with the reason of the signal. */
  readonly enter: (host: string, signal: AbortSignal) => Promise<() => void>;
}

interface Waiting {
  readonly host: string;
  readonly admit: () => void;
}

export function createGate(limits: GateLimits): Gate {
  const inside = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let total = 0;

  return { enter };

  async function enter(host: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (hasRoom(host)) return admit(host);
    if (waiting.size >= limits.waitingMax) {
      throw new OutboundError("busy", `Too many fetches wait already: none from ${host} now.`);
    }
    return waitFor(host, signal);
  }

  function waitFor(host: string, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const entry = { host, admit: () => settle(() => resolve(admit(host))) };
      const giveUp = () => settle(() => reject(toError(signal.reason)));
      function settle(how: () => void): void {
        waiting.delete(entry);
        signal.removeEventListener("abort", giveUp);
        how();
      }
      waiting.add(entry);
      signal.addEventListener("abort", giveUp);
    });
  }

  function hasRoom(host: string): boolean {
    return total < limits.parallelMax && (inside.get(host) ?? 0) < limits.parallelPerHostMax;
  }

  function admit(host: string): () => void {
    total += 1;
    inside.set(host, (inside.get(host) ?? 0) + 1);
    let isInside = true;
    return () => {
      if (isInside) leave(host);
      isInside = false;
    };
  }

  function leave(host: string): void {
    total -= 1;
    const left = (inside.get(host) ?? 1) - 1;
    if (left === 0) inside.delete(host);
    else inside.set(host, left);
    for (const next of waiting) {
      if (hasRoom(next.host)) return next.admit();
    }
  }
}
