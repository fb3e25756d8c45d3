/** 100-nanosecond steps from the year 1 to 1970: entity tags count them. */
const EPOCH_TICKS = 621_355_968_000_000_000n;
const TICKS_PER_MS = 10_000n;

/** What every change gives a container or blob. */
export interface Stamp {
  /** `0x` and fifteen hexadecimal digits, without quotes; each greater than all before it. */
  readonly etag: string;
  /** ISO 8601. */
  readonly lastModified: string;
}

/** Entity tags follow the clock, and go on upwards when it stands still or steps back. */
export function createStamps(now: () => Date, newest: string | undefined): () => Stamp {
  let last = newest === undefined ? 0n : BigInt(newest);
  return () => {
    const time = now();
    const ticks = BigInt(time.getTime()) * TICKS_PER_MS + EPOCH_TICKS;
    last = ticks > last ? ticks : last + 1n;
    return { etag: `0x${last.toString(16).toUpperCase()}`, lastModified: time.toISOString() };
  };
}
