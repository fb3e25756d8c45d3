import { isArray } from "#engines/duckdb/json-text.ts";
import { parseDatetime } from "#engines/kql/runtime/time/parse-datetime.ts";
import type { Json } from "#engines/kql/types.ts";
import type { Transform } from "../catalog/mapping-text.ts";

const EPOCH_TICKS = 621_355_968_000_000_000n;
const DATETIME_MAX_TICKS = 3_155_378_975_999_999_999n;

/** Ticks in one unit, as a fraction of integers. */
const UNITS = {
  DateTimeFromUnixSeconds: [10_000_000n, 1n],
  DateTimeFromUnixMilliseconds: [10_000n, 1n],
  DateTimeFromUnixMicroseconds: [10n, 1n],
  DateTimeFromUnixNanoseconds: [1n, 100n],
} as const;
export type UnixTransform = keyof typeof UNITS;

export function isUnixTransform(transform: Transform | undefined): transform is UnixTransform {
  return transform !== undefined && Object.hasOwn(UNITS, transform);
}

/** Ticks of a number of units since 1970; null when it is no number or no datetime. */
export function datetimeFromUnix(transform: UnixTransform, value: Json | undefined): bigint | null {
  const [ticks, divisor] = UNITS[transform];
  const number = typeof value === "bigint" ? value : numberOf(value);
  // A file may know by itself that it holds times.
  if (number === undefined) return typeof value === "string" ? parseDatetime(value) : null;
  const since =
    typeof number === "bigint"
      ? (number * ticks) / divisor
      : BigInt(Math.trunc((number * Number(ticks)) / Number(divisor)));
  const result = since + EPOCH_TICKS;
  return result < 0n || result > DATETIME_MAX_TICKS ? null : result;
}

function numberOf(value: Json | undefined): number | bigint | undefined {
  if (typeof value === "string" && /^-?\d{1,19}$/u.test(value.trim())) return BigInt(value.trim());
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return undefined;
  return Number.isSafeInteger(number) ? BigInt(number) : number;
}

/** One bag of all the bags in an array; a later one wins. */
export function bagOfBags(value: Json | undefined): Json {
  if (value === undefined || !isArray(value)) return value ?? null;
  const all: Record<string, Json> = {};
  for (const item of value) {
    if (typeof item === "object" && item !== null && !isArray(item)) Object.assign(all, item);
  }
  return all;
}
