import type { KqlType, KqlValue } from "../../types.ts";
import { isBag, textOfJson } from "../dynamic/json.ts";
import { formatDatetimeTicks, formatTimespanTicks } from "../time/format-time.ts";
import { parseDatetime } from "../time/parse-datetime.ts";
import { parseTimespan } from "../time/parse-timespan.ts";

/** A value in another type; what cannot be converted is null. */
export function converted(value: KqlValue, from: KqlType, to: KqlType): KqlValue {
  if (value === null) return to === "string" ? "" : null;
  if (from === to) return value;
  if (to === "string") return textOf(value, from);
  if (to === "dynamic") return dynamicOf(value, from);
  return typeof value === "object" ? null : CONVERSIONS[to](value, from);
}

type Plain = Exclude<KqlValue, object | null>;
type Conversion = (value: Plain, from: KqlType) => KqlValue;

const CONVERSIONS: Readonly<Record<Exclude<KqlType, "string" | "dynamic">, Conversion>> = {
  bool: (value) => {
    if (typeof value === "boolean") return value;
    if (typeof value !== "string") return Number(value) !== 0;
    const text = value.trim().toLowerCase();
    if (text === "true" || text === "1") return true;
    return text === "false" || text === "0" ? false : null;
  },
  int: (value) => {
    const whole = wholeOf(value);
    if (whole === null || BigInt.asIntN(32, whole) !== whole) return null;
    return Number(whole);
  },
  long: (value) => wholeOf(value),
  real: (value) => {
    const text = typeof value === "string" ? value.trim() : value;
    const number = text === "" ? Number.NaN : Number(text);
    return typeof value === "string" && Number.isNaN(number) ? null : number;
  },
  decimal: (value) => (typeof value === "boolean" ? null : String(value)),
  datetime: (value) => (typeof value === "string" ? parseDatetime(value) : ticksOf(value)),
  timespan: (value) => (typeof value === "string" ? parseTimespan(value) : ticksOf(value)),
  guid: (value) => (typeof value === "string" && GUID.test(value) ? value.toLowerCase() : null),
};

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function ticksOf(value: Plain): KqlValue {
  return typeof value === "bigint" ? value : null;
}

function wholeOf(value: Plain): bigint | null {
  if (typeof value === "bigint") return value;
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "number") return Number.isFinite(value) ? BigInt(Math.trunc(value)) : null;
  const text = value.trim();
  return /^[-+]?\d+$/.test(text) ? BigInt.asIntN(64, BigInt(text.replace("+", ""))) : null;
}

function textOf(value: NonNullable<KqlValue>, from: KqlType): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (from === "datetime" && typeof value === "bigint") return formatDatetimeTicks(value);
  if (from === "timespan" && typeof value === "bigint") return formatTimespanTicks(value);
  return textOfJson(value);
}

function dynamicOf(value: NonNullable<KqlValue>, from: KqlType): KqlValue {
  if (from === "datetime" || from === "timespan") return textOf(value, from);
  if (typeof value !== "bigint") return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** A member of a bag or an element of an array; a negative index counts from the end. */
export function memberAt(value: KqlValue, key: KqlValue): KqlValue {
  if (Array.isArray(value)) {
    const items: readonly KqlValue[] = value;
    return typeof key === "string" ? null : (items.at(Number(key)) ?? null);
  }
  if (value === null || typeof value !== "object" || typeof key !== "string") return null;
  return isBag(value) && Object.hasOwn(value, key) ? (value[key] ?? null) : null;
}
