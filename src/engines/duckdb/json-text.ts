import type { Json } from "#engines/kql/types.ts";

/** Only a text with so many digits in a row can hold an integer that a double does not. */
const LONG_DIGITS = /\d{16}/u;
const INTEGER = /^-?\d+$/u;

/** Parses JSON; integers beyond 2^53 become `bigint`. Throws a `SyntaxError`. */
export function parseJson(text: string): Json {
  // JSON.parse gives exactly the values of `Json`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (LONG_DIGITS.test(text) ? JSON.parse(text, exact) : JSON.parse(text)) as Json;
}

function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? "";
  return INTEGER.test(source) ? BigInt(source) : value;
}

/** Writes JSON; `bigint` as its digits, and what JSON has no number for as text (`"NaN"`). */
export function jsonText(value: Json): string {
  return isPlain(value) ? JSON.stringify(value) : exactText(value);
}

function exactText(value: Json): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number" && !Number.isFinite(value)) return `"${value}"`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(exactText).join(",")}]`;
  const parts = Object.entries(value).map(([key, v]) => `${JSON.stringify(key)}:${exactText(v)}`);
  return `{${parts.join(",")}}`;
}

/** Whether JSON.stringify needs no help; much faster than writing each value by itself. */
function isPlain(value: Json): boolean {
  if (typeof value === "bigint") return false;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return isArray(value) ? value.every(isPlain) : Object.values(value).every(isPlain);
}

/** `Array.isArray` for arrays that are read only. */
export function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
