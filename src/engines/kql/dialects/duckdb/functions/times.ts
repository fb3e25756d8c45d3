import type { KqlType } from "../../../types.ts";
import { NOW, TICKS_PER_DAY, ticksOf, timestampOf, withinCalendar, type Sql } from "../sql.ts";
import { arg, constantText, type Emitter, type EmitterTable } from "./emitter.ts";
import { double } from "./operators.ts";

const DAY = String(TICKS_PER_DAY);
const WEEK = String(TICKS_PER_DAY * 7n);
const UNITS: Readonly<Record<string, bigint>> = {
  week: TICKS_PER_DAY * 7n,
  day: TICKS_PER_DAY,
  hour: 36_000_000_000n,
  minute: 600_000_000n,
  second: 10_000_000n,
  millisecond: 10_000n,
  microsecond: 10n,
  nanosecond: 1n,
};

export const times: EmitterTable = {
  now: () => NOW,
  bin: (args, type) => bin(arg(args, 0), arg(args, 1), type),
  floor: (args, type) =>
    args.length > 1 ? bin(arg(args, 0), arg(args, 1), type) : `floor(${double(arg(args, 0))})`,
  bin_at: (args, type) => binAt(args, type),
  startofday: start((ticks) => `(${ticks} - ${ticks} % ${DAY})`, "day"),
  startofweek: start(weekStart, "week"),
  startofmonth: start((ticks) => ticksOf(`date_trunc('month', ${timestampOf(ticks)})`), "month"),
  startofyear: start((ticks) => ticksOf(`date_trunc('year', ${timestampOf(ticks)})`), "year"),
  endofday: end((ticks) => `(${ticks} - ${ticks} % ${DAY})`, "day"),
  endofweek: end(weekStart, "week"),
  endofmonth: end((ticks) => ticksOf(`date_trunc('month', ${timestampOf(ticks)})`), "month"),
  endofyear: end((ticks) => ticksOf(`date_trunc('year', ${timestampOf(ticks)})`), "year"),
  dayofweek: ([t]) => `((${text(t)} // ${DAY} + 1) % 7 * ${DAY})`,
  dayofmonth: ([t]) => field("day", t),
  dayofyear: ([t]) => field("doy", t),
  hourofday: ([t]) => `CAST(${text(t)} % ${DAY} // 36000000000 AS INTEGER)`,
  monthofyear: ([t]) => field("month", t),
  getmonth: ([t]) => field("month", t),
  getyear: ([t]) => field("year", t),
  datetime_part: (args) => part(args),
  datepart: (args) => part(args),
  datetime_add: (args) => {
    const unit = constantText(args[0])?.toLowerCase();
    const moved = unit === undefined ? undefined : add(unit, arg(args, 1).text, arg(args, 2).text);
    return moved === undefined ? undefined : withinCalendar(moved);
  },
  datetime_diff: (args) => {
    const unit = constantText(args[0])?.toLowerCase();
    if (unit === undefined) return undefined;
    const [from, to] = [arg(args, 1).text, arg(args, 2).text];
    if (unit === "nanosecond") return `((${from} - ${to}) * 100)`;
    const [a, b] = [counted(unit, from), counted(unit, to)];
    return a === undefined || b === undefined ? undefined : `(${a} - ${b})`;
  },
  unixtime_seconds_todatetime: unixtime(10_000_000n),
  unixtime_milliseconds_todatetime: unixtime(10_000n),
  unixtime_microseconds_todatetime: unixtime(10n),
  unixtime_nanoseconds_todatetime: ([value]) =>
    `(CAST(${text(value)} AS BIGINT) // 100 + 621355968000000000)`,
  make_datetime: (args) => makeDatetime(args),
  make_timespan: (args) => makeTimespan(args),
};

function text(value: Sql | undefined): string {
  if (value === undefined) throw new Error("An argument is missing");
  return `(${value.text})`;
}

/** Rounds down to a multiple, towards minus infinity; a size of zero or less gives null. */
function bin(value: Sql, size: Sql, type: KqlType): string {
  if (type === "real" || type === "decimal") {
    return `(floor(${double(value)} / ${double(size)}) * ${double(size)})`;
  }
  if (size.type === "real") {
    return `CAST(floor(${double(value)} / ${double(size)}) * ${double(size)} AS BIGINT)`;
  }
  const [v, s] = [value.text, size.text];
  if (value.type === "datetime" && isPositive(size)) return `(${v} - ${v} % ${s})`;
  if (isPositive(size)) return `(${v} - ((${v} % ${s}) + ${s}) % ${s})`;
  return `(${v} - (((${v} % nullif(${s}, 0)) + ${s}) % nullif(${s}, 0)))`;
}

function isPositive(value: Sql): boolean {
  const constant = value.constant?.value;
  return (typeof constant === "bigint" || typeof constant === "number") && constant > 0;
}

function binAt(args: readonly Sql[], type: KqlType): string {
  const [value, size, origin] = [arg(args, 0), arg(args, 1), arg(args, 2)];
  if (type === "real" || type === "decimal") {
    const offset = `(${double(value)} - ${double(origin)})`;
    return `(floor(${offset} / ${double(size)}) * ${double(size)} + ${double(origin)})`;
  }
  const offset = `(${value.text} - ${origin.text})`;
  return `(${value.text} - ((${offset} % ${size.text}) + ${size.text}) % ${size.text})`;
}

// 0001-01-01 was a Monday, and weeks start on Sunday.
function weekStart(ticks: string): string {
  return `(${ticks} - (${ticks} + ${DAY}) % ${WEEK})`;
}

function start(floor: (ticks: string) => string, unit: string): Emitter {
  return ([value, offset]) => {
    const first = floor(text(value));
    return offset === undefined ? first : add(unit, offset.text, first);
  };
}

function end(floor: (ticks: string) => string, unit: string): Emitter {
  return ([value, offset]) => {
    const next = offset === undefined ? "1" : `(${offset.text} + 1)`;
    return `(${add(unit, next, floor(text(value))) ?? ""} - 1)`;
  };
}

function field(name: string, value: Sql | undefined): string {
  return `CAST(date_part('${name}', ${timestampOf(text(value))}) AS INTEGER)`;
}

const MONTHS: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

/** Adds units to ticks; months keep the day where the month has it. */
function add(unit: string, count: string, ticks: string): string | undefined {
  const months = MONTHS[unit];
  if (months !== undefined) {
    const interval = `to_months(CAST((${count}) * ${String(months)} AS INTEGER))`;
    const moved = `${timestampOf(ticks)} + ${interval}`;
    return `(${ticksOf(`(${moved})`)} + (${ticks}) % 10)`;
  }
  if (unit === "nanosecond") return `(${ticks} + CAST(${count} AS BIGINT) // 100)`;
  const size = UNITS[unit];
  if (size === undefined) return undefined;
  return `(${ticks} + CAST(${count} AS BIGINT) * ${String(size)})`;
}

/** How many whole units have begun since the start of the calendar. */
function counted(unit: string, ticks: string): string | undefined {
  const months = MONTHS[unit];
  if (months !== undefined) {
    const timestamp = timestampOf(ticks);
    const all = `(date_part('year', ${timestamp}) * 12 + date_part('month', ${timestamp}) - 1)`;
    return `(${all} // ${String(months)})`;
  }
  if (unit === "week") return `((${ticks} + ${DAY}) // ${WEEK})`;
  const size = UNITS[unit];
  return size === undefined ? undefined : `((${ticks}) // ${String(size)})`;
}

const FIELDS: Readonly<Record<string, string>> = {
  year: "year",
  quarter: "quarter",
  month: "month",
  day: "day",
  dayofyear: "doy",
  week_of_year: "week",
  weekofyear: "week",
};
const CLOCK: Readonly<Record<string, readonly [bigint, bigint]>> = {
  hour: [36_000_000_000n, 24n],
  minute: [600_000_000n, 60n],
  second: [10_000_000n, 60n],
  millisecond: [10_000n, 1000n],
  microsecond: [10n, 1_000_000n],
};

function part(args: readonly Sql[]): string | undefined {
  const unit = constantText(args[0])?.toLowerCase() ?? "";
  const name = FIELDS[unit];
  if (name !== undefined) return `CAST(${field(name, args[1])} AS BIGINT)`;
  if (unit === "nanosecond") return `(${text(args[1])} % 10000000 * 100)`;
  const clock = CLOCK[unit];
  if (clock === undefined) return undefined;
  return `(${text(args[1])} // ${String(clock[0])} % ${String(clock[1])})`;
}

function unixtime(ticksPerUnit: bigint): Emitter {
  return ([value]) => {
    if (value?.type === "real" || value?.type === "decimal") {
      return `(CAST(${text(value)} * ${String(ticksPerUnit)} AS BIGINT) + 621355968000000000)`;
    }
    return `(CAST(${text(value)} AS BIGINT) * ${String(ticksPerUnit)} + 621355968000000000)`;
  };
}

function makeDatetime(args: readonly Sql[]): string | undefined {
  if (args.length < 3) return undefined;
  const [year, month, day, hour = "0", minute = "0", second] = args.map(({ text: one }) => one);
  const ymd = [year, month, day].map((one) => `CAST(${one ?? ""} AS BIGINT)`).join(", ");
  const date = `try(make_date(${ymd}))`;
  const clock =
    `CAST(${hour} AS BIGINT) * 36000000000 + CAST(${minute} AS BIGINT) * 600000000 + ` +
    `CAST(coalesce(${second ?? "0"}, 0) * 10000000 AS BIGINT)`;
  return `(${ticksOf(`CAST(${date} AS TIMESTAMP)`)} + ${clock})`;
}

function makeTimespan(args: readonly Sql[]): string {
  const values = args.map(({ text: one }) => one);
  const [days, hours, minutes, seconds] =
    values.length === 4 ? values : ["0", values[0], values[1], values.length > 2 ? values[2] : "0"];
  return (
    `(CAST(${days ?? "0"} AS BIGINT) * ${DAY} + CAST(${hours ?? "0"} AS BIGINT) * 36000000000 + ` +
    `CAST(${minutes ?? "0"} AS BIGINT) * 600000000 + CAST(${seconds ?? "0"} * 10000000 AS BIGINT))`
  );
}
