import type { Json, JsonBag } from "../../types.ts";

export function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

export function isBag(value: Json): value is JsonBag {
  return typeof value === "object" && value !== null && !isArray(value);
}

export function isNumber(value: Json): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** The arrays among the values, or null when one of the values is no array. */
export function allArrays(values: readonly Json[]): (readonly Json[])[] | null {
  return values.every(isArray) ? [...values] : null;
}

/** A member of the bag itself, never one that all objects have. */
export function memberOf(bag: JsonBag, key: string): Json | undefined {
  return Object.hasOwn(bag, key) ? bag[key] : undefined;
}

/**
 * JSON text without spaces, with the keys of bags in order, so that equal values have equal text.
 * Numbers that JSON does not have are written as strings: `"NaN"`.
 */
export function canonicalJson(value: Json): string {
  if (isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (isBag(value)) {
    const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
    const members = entries.map(([key, it]) => `${JSON.stringify(key)}:${canonicalJson(it)}`);
    return `{${members.join(",")}}`;
  }
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number" && !Number.isFinite(value)) return `"${value}"`;
  return JSON.stringify(value);
}

/** The text of a value within a string: a text is itself, null is empty, the rest is JSON. */
export function textOfJson(value: Json): string {
  if (value === null) return "";
  return typeof value === "string" ? value : canonicalJson(value);
}
