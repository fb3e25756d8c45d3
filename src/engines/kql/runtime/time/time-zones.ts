import { withinCalendar } from "./calendar.ts";
import { DAY, MILLISECOND, MINUTE, SECOND, UNIX_EPOCH } from "./ticks.ts";

const OFFSET = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?/;
/** Since the epoch no zone has changed but at a quarter of an hour. */
const STEP = 15n * MINUTE;
const CACHE_MAX = 20_000;

const formats = new Map<string, Intl.DateTimeFormat | null>();
const offsets = new Map<string, bigint>();

/** Every zone that can be named. */
export function timeZones(): string[] {
  return Intl.supportedValuesOf("timeZone");
}

/** Null when there is no such zone. */
export function utcToLocal(utc: bigint, zone: string): bigint | null {
  const offset = offsetAt(utc, zone);
  return offset === null ? null : withinCalendar(utc + offset);
}

/**
 * Of a local time that occurs twice the first is meant; one that is skipped is taken as if the
 * clock had already been changed. Null when there is no such zone.
 */
export function localToUtc(local: bigint, zone: string): bigint | null {
  const [before, after] = [offsetAt(local - DAY, zone), offsetAt(local + DAY, zone)];
  if (before === null || after === null) return null;
  const isBefore = offsetAt(local - before, zone) === before;
  return withinCalendar(local - (isBefore ? before : after));
}

function offsetAt(utc: bigint, zone: string): bigint | null {
  const format = formatOf(zone);
  if (format === null) return null;
  const start = utc >= UNIX_EPOCH ? utc - (utc % STEP) : utc;
  const key = `${zone} ${start}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;

  const text = format.format(Number((start - UNIX_EPOCH) / MILLISECOND));
  const [, sign, hours = "0", minutes = "0", seconds = "0"] = OFFSET.exec(text) ?? [];
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const offset = BigInt(sign === "-" ? -size : size) * SECOND;
  if (offsets.size >= CACHE_MAX) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

function formatOf(zone: string): Intl.DateTimeFormat | null {
  let format = formats.get(zone);
  if (format === undefined) {
    format = newFormat(zone);
    if (formats.size >= CACHE_MAX) formats.clear();
    formats.set(zone, format);
  }
  return format;
}

function newFormat(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  } catch {
    return null;
  }
}
