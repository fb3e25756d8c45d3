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

const TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,7}))?Z$/;

/** The moment of an entity tag, as snapshots are named: UTC with seven digits after the second. */
export function timeOfEtag(etag: string): string {
  const ticks = BigInt(etag) - EPOCH_TICKS;
  const ms = Number(ticks / TICKS_PER_MS);
  const rest = String(ticks % TICKS_PER_MS).padStart(4, "0");
  return new Date(ms).toISOString().replace("Z", `${rest}Z`);
}

/** The entity tag of such a moment; empty for any other text. */
export function etagOf(time: string): string {
  const [, seconds, fraction = ""] = TIME.exec(time) ?? [];
  const ms = Date.parse(`${seconds ?? ""}Z`);
  if (Number.isNaN(ms)) return "";
  const ticks = BigInt(ms) * TICKS_PER_MS + BigInt(fraction.padEnd(7, "0")) + EPOCH_TICKS;
  return `0x${ticks.toString(16).toUpperCase()}`;
}
