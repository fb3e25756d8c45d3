import type { BlockRun, BlockStore } from "#engines/blocks/block-store.ts";

/** How long bytes that were found right are taken for right. */
const TRUSTED_MS = 10 * 60 * 1000;
/** Runs that are remembered; they are long, so these are many gigabytes. */
const RUNS_MAX = 10_000;
/** Shorter ones are checked each time: that costs little, and there may be very many. */
const REMEMBERED_BYTES_MIN = 64 * 1024;

/** Runs whose bytes had their checksum a short time ago, and need not be checked again. */
export interface CheckedRuns {
  readonly isRight: (run: BlockRun) => boolean;
  readonly foundRight: (run: BlockRun) => void;
}

const known = new WeakMap<BlockStore, CheckedRuns>();

/** Those of a store, for as long as it is open. */
export function checkedRunsOf(blocks: BlockStore): CheckedRuns {
  const found = known.get(blocks);
  if (found !== undefined) return found;
  const made = createCheckedRuns(() => performance.now());
  known.set(blocks, made);
  return made;
}

/** `now` is in milliseconds and never steps back. */
export function createCheckedRuns(now: () => number): CheckedRuns {
  /** Until when each is trusted; the one that was checked first comes first. */
  const trusted = new Map<string, number>();
  return {
    isRight: (run) => (trusted.get(keyOf(run)) ?? 0) > now(),
    foundRight(run) {
      if (run.length < REMEMBERED_BYTES_MIN) return;
      const key = keyOf(run);
      trusted.delete(key);
      trusted.set(key, now() + TRUSTED_MS);
      const [oldest] = trusted.keys();
      if (trusted.size > RUNS_MAX && oldest !== undefined) trusted.delete(oldest);
    },
  };
}

function keyOf({ extent, offset, length }: BlockRun): string {
  return `${extent}/${offset}/${length}`;
}
