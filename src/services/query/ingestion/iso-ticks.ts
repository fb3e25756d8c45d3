const EPOCH_TICKS = 621_355_968_000_000_000n;
const TICKS_PER_MS = 10_000n;
const MS_DIGITS = 3;
const TICK_DIGITS = 7;
/** `2026-01-02T03:04:05`, and from there on `.1234567` and `Z`. */
const SHAPE = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d{1,7})?Z?$/u;
const FRACTION_START = 20;

/** Ticks of the form in which nearly all datetimes come; undefined when it is another. */
export function isoTicks(text: string): bigint | undefined {
  if (!SHAPE.test(text)) return undefined;
  const [year, month, day] = [number(text, 0, 4), number(text, 5, 7), number(text, 8, 10)];
  const [hour, minute, second] = [number(text, 11, 13), number(text, 14, 16), number(text, 17, 19)];
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  // Whatever is out of its range has moved on to another day, hour or year; the long way judges it.
  if (year < 100 || !new Date(ms).toISOString().startsWith(same(text))) return undefined;
  const fraction = text.endsWith("Z") ? text.slice(FRACTION_START, -1) : text.slice(FRACTION_START);
  const digits = fraction.padEnd(TICK_DIGITS, "0");
  const whole = ms + Number(digits.slice(0, MS_DIGITS));
  return BigInt(whole) * TICKS_PER_MS + EPOCH_TICKS + BigInt(digits.slice(MS_DIGITS));
}

const SECONDS_LENGTH = 19;

function same(text: string): string {
  return text.slice(0, SECONDS_LENGTH).replace(" ", "T");
}

function number(text: string, start: number, end: number): number {
  return Number(text.slice(start, end));
}
