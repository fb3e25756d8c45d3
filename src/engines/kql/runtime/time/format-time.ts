import { KqlError } from "../../kql-error.ts";
import { calendarTime, timeOfDay } from "./calendar.ts";
import { DAY, FRACTION_DIGITS } from "./ticks.ts";

const DELIMITERS = " /-:,._[]";
const DATETIME_SPECIFIERS = /yyyy|yy?|dd?|MM?|hh?|HH?|mm?|ss?|f{1,7}|F{1,7}|tt|./gsu;
const TIMESPAN_SPECIFIERS = /d{1,8}|hh?|HH?|mm?|ss?|f{1,7}|F{1,7}|./gsu;

/** As `tostring` writes a datetime: `2020-06-15T13:45:09.1230000Z`. */
export function formatDatetimeTicks(ticks: bigint): string {
  const { year, month, day, ...clock } = calendarTime(ticks);
  const date = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  return `${date}T${clockText(clock)}.${pad(clock.fraction, FRACTION_DIGITS)}Z`;
}

/** As `tostring` writes a timespan: `[-][d.]hh:mm:ss[.fffffff]`. */
export function formatTimespanTicks(ticks: bigint): string {
  const { days, clock, sign } = partsOf(ticks);
  const fraction = clock.fraction === 0 ? "" : `.${pad(clock.fraction, FRACTION_DIGITS)}`;
  return `${sign}${days === 0n ? "" : `${days}.`}${clockText(clock)}${fraction}`;
}

/** Throws a `KqlError` for a format that has anything but specifiers and delimiters. */
export function formatDatetime(ticks: bigint, format: string): string {
  const { year, month, day, ...clock } = calendarTime(ticks);
  return format.replaceAll(DATETIME_SPECIFIERS, (specifier) => {
    const width = specifier.length;
    switch (specifier.charAt(0)) {
      case "y":
        return pad(width === 4 ? year : year % 100, width);
      case "M":
        return pad(month, width);
      case "d":
        return pad(day, width);
      case "h":
        return pad(clock.hour % 12 === 0 ? 12 : clock.hour % 12, width);
      case "t":
        if (width === 2) return clock.hour < 12 ? "AM" : "PM";
        break;
    }
    return clockPart(clock, specifier);
  });
}

/** Throws a `KqlError` for a format that has anything but specifiers and delimiters. */
export function formatTimespan(ticks: bigint, format: string): string {
  const { days, clock, sign } = partsOf(ticks);
  const text = format.replaceAll(TIMESPAN_SPECIFIERS, (specifier) => {
    if (specifier.startsWith("d")) return days.toString().padStart(specifier.length, "0");
    return clockPart(clock, specifier.replaceAll("h", "H"));
  });
  return sign + text;
}

type Clock = ReturnType<typeof timeOfDay>;

function clockPart(clock: Clock, specifier: string): string {
  const width = specifier.length;
  switch (specifier.charAt(0)) {
    case "H":
      return pad(clock.hour, width);
    case "m":
      return pad(clock.minute, width);
    case "s":
      return pad(clock.second, width);
    case "f":
      return pad(clock.fraction, FRACTION_DIGITS).slice(0, width);
    case "F":
      return pad(clock.fraction, FRACTION_DIGITS).slice(0, width).replace(/0+$/, "");
  }
  if (DELIMITERS.includes(specifier)) return specifier;
  throw new KqlError("semantic", `'${specifier}' is not allowed in a format of times.`);
}

function partsOf(ticks: bigint) {
  const size = ticks < 0n ? -ticks : ticks;
  return { days: size / DAY, clock: timeOfDay(size % DAY), sign: ticks < 0n ? "-" : "" };
}

function clockText({ hour, minute, second }: Clock): string {
  return `${pad(hour, 2)}:${pad(minute, 2)}:${pad(second, 2)}`;
}

function pad(value: number, width: number): string {
  return value.toString().padStart(width, "0");
}
