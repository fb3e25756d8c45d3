import { ticksOf, withinCalendar } from "./calendar.ts";
import { FRACTION_DIGITS, MINUTE } from "./ticks.ts";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** Years of two digits below this one are of this century, the others of the one before. */
const TWO_DIGIT_PIVOT = 50;

const WEEKDAY = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?\s+/i;
const MONTH = "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?";
const TIME =
  "(?:(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2})(?:\\.(?<fraction>\\d+))?)?";
const HALF = "(?:\\s*(?<half>[ap])\\.?m\\.?)?";
const ZONE = "\\s*(?<zone>z|gmt|utc|(?:gmt|utc)?[+-]\\d{2}(?::?\\d{2})?)?)?";
const CLOCK = `(?:(?:[t\\s,]\\s*|\\s+at\\s+)${TIME}${HALF}${ZONE}`;

interface DateForm {
  readonly pattern: RegExp;
  /** Which parts of the date the first, second and third groups are. */
  readonly order: readonly ["year" | "month" | "day", ...("year" | "month" | "day")[]];
}

const FORMS: readonly DateForm[] = [
  form("(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})", ["year", "month", "day"]),
  form("(\\d{4})-(\\d{1,2})", ["year", "month"]),
  form("(\\d{4})", ["year"]),
  form("(\\d{4})(\\d{2})(\\d{2})", ["year", "month", "day"]),
  form("(\\d{1,2})[-/](\\d{1,2})[-/](\\d{4})", ["month", "day", "year"]),
  form(`(\\d{1,2})[\\s-]${MONTH}[\\s-](\\d{4}|\\d{2})`, ["day", "month", "year"]),
  form(`${MONTH}\\s+(\\d{1,2}),?\\s+(\\d{4})`, ["month", "day", "year"]),
];
/** `Sat Nov  8 15:05:02 2014`, as C writes it. */
const YEAR_LAST = new RegExp(`^${MONTH}\\s+(\\d{1,2})\\s+(\\d{1,2}:\\S+)\\s+(\\d{4})$`, "i");

/**
 * Reads a datetime in any of the language's forms: ISO 8601, RFC 822, RFC 850, month first with
 * slashes or dashes. Without a zone it is UTC. Null when the text is no datetime.
 */
export function parseDatetime(text: string): bigint | null {
  const trimmed = text.trim().replace(WEEKDAY, "").replace(YEAR_LAST, "$1 $2 $4 $3");
  for (const { pattern, order } of FORMS) {
    const match = pattern.exec(trimmed);
    if (match !== null) return momentOf(match, order);
  }
  return null;
}

function form(date: string, order: DateForm["order"]): DateForm {
  return { pattern: new RegExp(`^${date}${CLOCK})?$`, "i"), order };
}

function momentOf(match: RegExpExecArray, order: DateForm["order"]): bigint | null {
  const date = { year: 1, month: 1, day: 1 };
  for (const [at, part] of order.entries()) date[part] = partOf(part, match[at + 1] ?? "");

  const clock = clockOf(match.groups ?? {});
  const offset = offsetMinutes(match.groups?.["zone"]);
  const ticks = clock === null ? null : ticksOf({ ...date, ...clock });
  return ticks === null || offset === null ? null : withinCalendar(ticks - BigInt(offset) * MINUTE);
}

function clockOf(groups: { readonly [name: string]: string | undefined }) {
  const hour = hourOf(Number(groups["hour"] ?? "0"), groups["half"]);
  if (hour === null) return null;
  const fraction = (groups["fraction"] ?? "").slice(0, FRACTION_DIGITS);
  return {
    hour,
    minute: Number(groups["minute"] ?? "0"),
    second: Number(groups["second"] ?? "0"),
    fraction: Number(fraction.padEnd(FRACTION_DIGITS, "0")),
  };
}

function partOf(part: "year" | "month" | "day", text: string): number {
  const month = MONTHS.indexOf(text.toLowerCase());
  if (month >= 0) return month + 1;
  const number = Number(text);
  if (part !== "year" || text.length > 2) return number;
  return number + (number < TWO_DIGIT_PIVOT ? 2000 : 1900);
}

/** The hour of the day, from one with `a` or `p` for its half; null when it is past twelve. */
function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
}

function offsetMinutes(zone: string | undefined): number | null {
  const match = /([+-])(\d{2}):?(\d{2})?$/.exec(zone ?? "");
  if (match === null) return 0;
  const [, sign, hours, minutes = "0"] = match;
  if (Number(hours) > 14 || Number(minutes) > 59) return null;
  return (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
}
