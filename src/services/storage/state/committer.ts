import { setImmediate as nextTurn } from "node:timers/promises";
import { Problem } from "#platform/problem.ts";
import { isDiskFull } from "#platform/store/disk-full.ts";
import type { Change } from "./changes.ts";
import { diskFull } from "./disk-full.ts";

/** Changes that may wait for the disk at a time; more are refused. */
const WAITING_CHANGES_MAX = 100_000;

export interface Committer {
  /**
   * Resolves once the change is on disk. Changes reach the disk in the order of the calls, many
   * at a time. Throws at once, having taken nothing, while too many wait and after a failure.
   */
  readonly commit: (change: Change) => Promise<void>;
  /** Why nothing is written any more; undefined while all is well. */
  readonly failure: () => Error | undefined;
  /** Resolves once all that wait are through. */
  readonly drain: () => Promise<void>;
}

interface Waiting {
  readonly change: Change;
  readonly done: () => void;
  readonly fail: (error: Error) => void;
}

/** Brings changes, and the bytes that they refer to, onto the disk: all of them or none. */
type Flush = (changes: readonly Change[]) => Promise<void>;

/** Finds out what is on the disk; calling the result makes it all that is known, at once. */
type Forget = () => Promise<() => void>;

/**
 * Group commit: while one batch is under way the next gathers, so a disk that syncs a few
 * thousand times a second still acknowledges tens of thousands of changes.
 *
 * Nothing is tried again. What a failed sync has left on the disk is not known, and every later
 * change was decided on top of the failed one. A full disk is another matter: the batch has
 * changed nothing. All that wait are refused, as is all that comes while `forget` makes whoever
 * decides forget what was decided; then it goes on.
 */
export function createCommitter(flush: Flush, forget: Forget): Committer {
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  let failure: Error | undefined;
  let isForgetting = false;

  return {
    commit(change) {
      if (failure !== undefined) throw stopped();
      if (isForgetting) throw diskFull();
      if (waiting.length >= WAITING_CHANGES_MAX) throw busy();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push({ change, done: resolve, fail: reject });
      running ??= run();
      return promise;
    },
    failure: () => failure,
    async drain() {
      await running;
    },
  };

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      // What has arrived on other connections by now goes along.
      await nextTurn();
      const batch = waiting;
      waiting = [];
      try {
        await flush(batch.map(({ change }) => change));
        for (const { done } of batch) done();
      } catch (error) {
        await refuse(batch, error);
      }
    }
    running = undefined;
  }

  async function refuse(batch: readonly Waiting[], error: unknown): Promise<void> {
    const refused = [...batch, ...waiting];
    waiting = [];
    isForgetting = isDiskFull(error);
    if (!isForgetting) failure = error instanceof Error ? error : new Error(String(error));
    for (const { fail } of refused) fail(failure ?? diskFull());
    if (!isForgetting) return;
    try {
      (await forget())();
    } catch (cause) {
      failure = new Error("What is on the disk could not be read again.", { cause });
    }
    isForgetting = false;
  }
}

function stopped(): Problem {
  return new Problem(
    500,
    "InternalError",
    "The disk has failed before and nothing is written any more; restart Atoll once it is well.",
  );
}

function busy(): Problem {
  const said = `${WAITING_CHANGES_MAX} changes wait for the disk, which is the limit.`;
  return new Problem(503, "ServerBusy", said);
}
