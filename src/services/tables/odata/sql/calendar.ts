/** A span of time, from its first moment up to the moment after it. */
export interface Span {
  readonly from?: Date;
  readonly to?: Date;
}

type Unit =
  | "Days"
  | "FiscalPeriods"
  | "FiscalYears"
  | "Hours"
  | "Minutes"
  | "Months"
  | "Weeks"
  | "Years";

const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;
const QUARTER_MONTHS = 3;

/** Days begin at midnight UTC, weeks on Sunday; fiscal years are years, and periods quarters. */
export function spanOf(name: string, now: Date, count: number): Span | undefined {
  return fixedSpan(name, now) ?? countedSpan(name, now, count);
}

function fixedSpan(name: string, now: Date): Span | undefined {
  if (name === "Today") return around(now, "Days", 0);
  if (name === "Yesterday") return around(now, "Days", -1);
  if (name === "Tomorrow") return around(now, "Days", 1);
  if (name === "Last7Days") return countedSpan("LastXDays", now, 7);
  if (name === "Next7Days") return countedSpan("NextXDays", now, 7);
  const [, which, what] =
    /^(This|Last|Next)(Week|Month|Year|FiscalPeriod|FiscalYear)$/.exec(name) ?? [];
  const unit = unitNamed(`${what}s`);
  if (unit === undefined) return undefined;
  return around(now, unit, which === "This" ? 0 : which === "Last" ? -1 : 1);
}

function countedSpan(name: string, now: Date, count: number): Span | undefined {
  const [, which, what] = /^(Last|Next|OlderThan)X(\w+)$/.exec(name) ?? [];
  const unit = unitNamed(what);
  if (unit === undefined) return undefined;
  if (which === "OlderThan") return { to: moved(now, unit, -count) };
  const isExact = unit === "Hours" || unit === "Minutes";
  const justNow = new Date(now.getTime() + 1000);
  if (which === "Last") {
    const from = moved(now, unit, -count);
    return { from: isExact ? from : startOf(from, "Days"), to: justNow };
  }
  const to = moved(now, unit, count);
  return { from: now, to: isExact ? to : moved(startOf(to, "Days"), "Days", 1) };
}

const UNITS: readonly Unit[] = [
  "Days",
  "FiscalPeriods",
  "FiscalYears",
  "Hours",
  "Minutes",
  "Months",
  "Weeks",
  "Years",
];

function unitNamed(name: string | undefined): Unit | undefined {
  return UNITS.find((unit) => unit === name);
}

/** The whole unit that a moment is in, or one that many units further. */
function around(now: Date, unit: Unit, offset: number): Span {
  const start = moved(startOf(now, unit), unit, offset);
  return { from: start, to: moved(start, unit, 1) };
}

/** The day of a moment. */
export function dayOf(moment: Date): Required<Span> {
  const from = startOf(moment, "Days");
  return { from, to: moved(from, "Days", 1) };
}

/** A year. */
export function yearSpan(year: number): Required<Span> {
  return { from: new Date(Date.UTC(year, 0, 1)), to: new Date(Date.UTC(year + 1, 0, 1)) };
}

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
}

type Start = (parts: Parts) => number;

const startOfDay: Start = ({ year, month, day }) => Date.UTC(year, month, day);
const startOfYear: Start = ({ year }) => Date.UTC(year, 0, 1);

const STARTS: Readonly<Record<Unit, Start>> = {
  Days: startOfDay,
  FiscalPeriods: ({ year, month }) => Date.UTC(year, month - (month % QUARTER_MONTHS), 1),
  FiscalYears: startOfYear,
  Hours: startOfDay,
  Minutes: startOfDay,
  Months: ({ year, month }) => Date.UTC(year, month, 1),
  Weeks: ({ year, month, day, weekday }) => Date.UTC(year, month, day - weekday),
  Years: startOfYear,
};

function startOf(moment: Date, unit: Unit): Date {
  const parts = {
    year: moment.getUTCFullYear(),
    month: moment.getUTCMonth(),
    day: moment.getUTCDate(),
    weekday: moment.getUTCDay(),
  };
  return new Date(STARTS[unit](parts));
}

/** How long a unit is, where it is always the same. */
const LENGTHS_MS: Readonly<Partial<Record<Unit, number>>> = {
  Days: DAY_MS,
  Hours: 60 * MINUTE_MS,
  Minutes: MINUTE_MS,
  Weeks: 7 * DAY_MS,
};

const LENGTHS_MONTHS: Readonly<Partial<Record<Unit, number>>> = {
  FiscalPeriods: QUARTER_MONTHS,
  FiscalYears: 12,
  Months: 1,
  Years: 12,
};

function moved(moment: Date, unit: Unit, count: number): Date {
  const months = LENGTHS_MONTHS[unit];
  if (months !== undefined) return movedMonths(moment, count * months);
  return new Date(moment.getTime() + count * (LENGTHS_MS[unit] ?? 0));
}

/** A month later is the same day, or the last one that the month has. */
function movedMonths(moment: Date, count: number): Date {
  const year = moment.getUTCFullYear();
  const month = moment.getUTCMonth() + count;
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const result = new Date(moment);
  result.setUTCFullYear(year, month, Math.min(moment.getUTCDate(), last));
  return result;
}
