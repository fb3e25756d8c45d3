import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { ticksOf, weekOfYear } from "./calendar.ts";
import { formatDatetime, formatTimespan } from "./format-time.ts";
import { parseDatetime } from "./parse-datetime.ts";
import { parseTimespan } from "./parse-timespan.ts";
import { DAY, HOUR, MINUTE, SECOND } from "./ticks.ts";
import { localToUtc, timeZones, utcToLocal } from "./time-zones.ts";

const TICKS_PER_SECOND = Number(SECOND);

/** Reading, making and writing of datetimes and timespans. */
export const timeFunctions: readonly RuntimeFunction[] = [
  runtimeFunction("todatetime", ["string"], "datetime", parseDatetime),
  ...["totimespan", "totime"].map((name) =>
    runtimeFunction(name, ["string"], "timespan", parseTimespan),
  ),
  runtimeFunction("format_datetime", ["datetime", "string"], "string", formatDatetime),
  runtimeFunction("format_timespan", ["timespan", "string"], "string", formatTimespan),
  ...["week_of_year", "weekofyear"].map((name) =>
    runtimeFunction(name, ["datetime"], "int", weekOfYear),
  ),
  runtimeFunction("datetime_utc_to_local", ["datetime", "string"], "datetime", utcToLocal),
  runtimeFunction("datetime_local_to_utc", ["datetime", "string"], "datetime", localToUtc),
  runtimeFunction("datetime_list_timezones", [], "dynamic", timeZones),
  runtimeFunction("make_datetime", ["string"], "datetime", parseDatetime),
  runtimeFunction(
    "make_datetime",
    ["long", "long", "long", "long?", "long?", "real?"],
    "datetime",
    (year, month, day, ...[hour, minute, second]) => {
      const date = { year: Number(year), month: Number(month), day: Number(day) };
      return makeDatetime(date, Number(hour ?? 0n), Number(minute ?? 0n), second ?? 0);
    },
  ),
  runtimeFunction("make_timespan", ["string"], "timespan", parseTimespan),
  runtimeFunction(
    "make_timespan",
    ["long", "long", "real?"],
    "timespan",
    (hours, minutes, seconds) => makeTimespan(0n, hours, minutes, seconds ?? 0),
  ),
  runtimeFunction("make_timespan", ["long", "long", "long", "real"], "timespan", makeTimespan),
];

function makeDatetime(
  date: { readonly year: number; readonly month: number; readonly day: number },
  hour: number,
  minute: number,
  seconds: number,
): bigint | null {
  if (!(seconds >= 0 && seconds < 60)) return null;
  const ticks = Math.round(seconds * TICKS_PER_SECOND);
  const second = Math.floor(ticks / TICKS_PER_SECOND);
  return ticksOf({ ...date, hour, minute, second, fraction: ticks % TICKS_PER_SECOND });
}

function makeTimespan(
  days: bigint,
  hours: bigint,
  minutes: bigint,
  seconds: number,
): bigint | null {
  const isClock = hours >= 0n && hours < 24n && minutes >= 0n && minutes < 60n;
  if (!isClock || days < 0n || !(seconds >= 0 && seconds < 60)) return null;
  const ticks = BigInt(Math.round(seconds * TICKS_PER_SECOND));
  return days * DAY + hours * HOUR + minutes * MINUTE + ticks;
}
