import type { ConnectOptions } from "#engines/kql/sql-engine.ts";
import { QueueFullError } from "./errors.ts";

/** Besides the lanes of the language: long-running writes. */
export type Lane = ConnectOptions["lane"] | "ingestion";

export interface LaneRequest {
  readonly lane: Lane;
  readonly signal: AbortSignal;
}

export interface LaneLimits {
  /** So many run at once. */
  readonly running: number;
  /** So many more may wait. */
  readonly waiting: number;
}

export interface Lanes {
  /** Resolves, first come first served, to what leaves the lane again. */
  readonly enter: (request: LaneRequest) => Promise<() => void>;
  readonly load: (lane: Lane) => { readonly running: number; readonly waiting: number };
}

interface LaneState {
  running: number;
  readonly waiting: Set<() => void>;
}

/** Lets only so many requests through at a time, for each lane by itself. */
export function createLanes(limits: Readonly<Record<Lane, LaneLimits>>): Lanes {
  const states: Readonly<Record<Lane, LaneState>> = {
    query: { running: 0, waiting: new Set() },
    management: { running: 0, waiting: new Set() },
    ingestion: { running: 0, waiting: new Set() },
  };

  function leave(state: LaneState): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      state.running -= 1;
      const [next] = state.waiting;
      next?.();
    };
  }

  return {
    load: (lane) => ({ running: states[lane].running, waiting: states[lane].waiting.size }),
    async enter({ lane, signal }) {
      signal.throwIfAborted();
      const state = states[lane];
      const { running, waiting } = limits[lane];
      if (state.running >= running) {
        if (state.waiting.size >= waiting) {
          throw new QueueFullError(`${running} requests run and ${waiting} wait; try again later.`);
        }
        await turn(state, signal);
      } else {
        state.running += 1;
      }
      return leave(state);
    },
  };
}

/** Waits until a place is free, and takes it in the same moment. */
async function turn(state: LaneState, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  function take() {
    state.waiting.delete(take);
    state.running += 1;
    resolve(undefined);
  }
  function giveUp() {
    if (state.waiting.delete(take)) reject(toError(signal.reason));
  }
  state.waiting.add(take);
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    await promise;
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
