import { ticksOf } from "./calendar.ts";
import {
  DAY,
  FRACTION_DIGITS,
  HOUR,
  MILLISECOND,
  MINUTE,
  SECOND,
  TIMESPAN_MAX,
  TIMESPAN_MIN,
} from "./ticks.ts";

/** The day whose midnight is tick 0, so that a time of it is a timespan. */
const FIRST_DAY = { year: 1, month: 1, day: 1 };
const CLOCK = /^(-?)(?:(\d{1,8})\.)?(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,7}))?)?$/;
const DAYS = /^(-?)(\d{1,8})$/;
const AMOUNT = /^(-?)(\d{1,19})(?:\.(\d{1,18}))?\s*([a-z]+)$/i;

const UNITS: readonly (readonly [RegExp, bigint])[] = [
  [/^d(?:ays?)?$/, DAY],
  [/^h(?:(?:ou)?rs?)?$/, HOUR],
  [/^m(?:in(?:ute)?s?)?$/, MINUTE],
  [/^s(?:ec(?:ond)?s?)?$/, SECOND],
  [/^(?:ms|milli(?:s|sec(?:ond)?s?)?)$/, MILLISECOND],
  [/^micro(?:s|sec(?:ond)?s?)?$/, 10n],
  [/^ticks?$/, 1n],
];
const NANOSECONDS = /^(?:ns|nano(?:s|sec(?:ond)?s?)?)$/;
const NANOSECONDS_PER_TICK = 100n;

/**
 * Reads a timespan: `[-][d.]hh:mm[:ss[.fffffff]]`, whole days, or an amount with a unit (`1.5h`).
 * Null when the text is none of these, or out of range.
 */
export function parseTimespan(text: string): bigint | null {
  const trimmed = text.trim();
  const ticks = parseClock(trimmed) ?? parseDays(trimmed) ?? parseAmount(trimmed);
  return ticks === null || ticks > TIMESPAN_MAX || ticks < TIMESPAN_MIN ? null : ticks;
}

function parseClock(text: string): bigint | null {
  const match = CLOCK.exec(text);
  if (match === null) return null;
  const [hour, minute, second] = [3, 4, 5].map((group) => Number(match[group] ?? 0));
  const fraction = Number((match[6] ?? "").padEnd(FRACTION_DIGITS, "0"));
  const clock = ticksOf({ ...FIRST_DAY, hour, minute, second, fraction });
  if (clock === null) return null;
  const ticks = BigInt(match[2] ?? 0) * DAY + clock;
  return match[1] === "-" ? -ticks : ticks;
}

function parseDays(text: string): bigint | null {
  const match = DAYS.exec(text);
  return match === null ? null : BigInt(text) * DAY;
}

function parseAmount(text: string): bigint | null {
  const match = AMOUNT.exec(text);
  if (match === null) return null;
  const [, sign, whole = "0", decimals = "", unit = ""] = match;
  const scale = 10n ** BigInt(decimals.length);
  const scaled = scaledTicks(BigInt(whole + decimals), unit.toLowerCase());
  if (scaled === null) return null;
  return (sign === "-" ? -scaled : scaled) / scale;
}

function scaledTicks(amount: bigint, unit: string): bigint | null {
  if (NANOSECONDS.test(unit)) return amount / NANOSECONDS_PER_TICK;
  const length = UNITS.find(([names]) => names.test(unit))?.[1];
  return length === undefined ? null : amount * length;
}
