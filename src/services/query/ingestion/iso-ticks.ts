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
  const ms = Date.UTC(year, month - 1, day, number(text, 11, 13), number(text, 14, 16));
  const date = new Date(ms);
  // Whatever is out of its range has moved on to another day or hour; the long way judges it.
  const isReal = date.getUTCDate() === day && date.getUTCHours() === number(text, 11, 13);
  const second = number(text, 17, 19);
  if (!isReal || year < 100 || number(text, 14, 16) > 59 || second > 59) return undefined;
  const fraction = text.endsWith("Z") ? text.slice(FRACTION_START, -1) : text.slice(FRACTION_START);
  const digits = fraction.padEnd(TICK_DIGITS, "0");
  const whole = ms + second * 1000 + Number(digits.slice(0, MS_DIGITS));
  return BigInt(whole) * TICKS_PER_MS + EPOCH_TICKS + BigInt(digits.slice(MS_DIGITS));
}

function number(text: string, start: number, end: number): number {
  return Number(text.slice(start, end));
}
