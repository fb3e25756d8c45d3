const EPOCH_TICKS = 621_355_968_000_000_000n;
const TICKS_PER_MS = 10_000n;

/** Ticks of 100 ns since 0001-01-01. */
export function ticksOf(date: Date): bigint {
  return BigInt(date.getTime()) * TICKS_PER_MS + EPOCH_TICKS;
}
