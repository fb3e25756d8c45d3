import { jsonText } from "#engines/duckdb/json-text.ts";
import type { Json, KqlType, KqlValue } from "#engines/kql/types.ts";
import { fromText } from "./text-values.ts";

/** What a value of JSON is as a value of a type; null when it is none. */
export function fromJson(type: KqlType, value: Json | undefined): KqlValue {
  if (value === undefined || value === null) return type === "string" ? "" : null;
  if (type === "dynamic") return value;
  if (typeof value === "string") return fromText(type, value);
  if (type === "string") return jsonText(value);
  if (typeof value === "boolean") return fromBool(type, value);
  return typeof value === "object" ? null : fromNumber(type, value);
}

function fromBool(type: KqlType, value: boolean): KqlValue {
  if (type === "bool") return value;
  return type === "int" || type === "long" || type === "real"
    ? fromText(type, value ? "1" : "0")
    : null;
}

function fromNumber(type: KqlType, value: number | bigint): KqlValue {
  if (type === "bool") return Number(value) !== 0;
  if (type === "real") return Number(value);
  if (type === "int" || type === "long" || type === "decimal") {
    return fromText(type, wholeText(type, value));
  }
  return null;
}

/** Integers take the whole part of a number. */
function wholeText(type: KqlType, value: number | bigint): string {
  if (typeof value === "bigint" || type === "decimal") return `${value}`;
  return Number.isFinite(value) ? BigInt(Math.trunc(value)).toString() : "";
}
