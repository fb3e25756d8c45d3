import { unscaledDecimal, decimalText } from "#engines/duckdb/decimal-text.ts";
import { parseJson } from "#engines/duckdb/json-text.ts";
import { parseDatetime } from "#engines/kql/runtime/time/parse-datetime.ts";
import { parseTimespan } from "#engines/kql/runtime/time/parse-timespan.ts";
import type { KqlType, KqlValue } from "#engines/kql/types.ts";
import { isoTicks } from "./iso-ticks.ts";

const INTEGER = /^[+-]?\d{1,19}$/u;
const HEXADECIMAL = /^[+-]?0[xX][0-9a-fA-F]{1,16}$/u;
const REAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,5})?$/u;
const GUID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/u;
const BRACES = /^\{(.*)\}$|^\((.*)\)$/u;

const LONG_MAX = 2n ** 63n - 1n;
const INT_MAX = 2n ** 31n - 1n;
const BOOLS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["t", true],
  ["yes", true],
  ["y", true],
  ["false", false],
  ["f", false],
  ["no", false],
  ["n", false],
]);
const SPECIAL_REALS: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ["inf", Number.POSITIVE_INFINITY],
  ["+inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
  ["infinity", Number.POSITIVE_INFINITY],
  ["+infinity", Number.POSITIVE_INFINITY],
  ["-infinity", Number.NEGATIVE_INFINITY],
]);

type Convert = (text: string) => KqlValue;

const CONVERSIONS: Readonly<Record<KqlType, Convert>> = {
  bool: boolOf,
  int: intOf,
  long: longOf,
  real: realOf,
  decimal: decimalOf,
  string: (text) => text,
  datetime: (text) => isoTicks(text) ?? parseDatetime(text),
  timespan: parseTimespan,
  guid: guidOf,
  dynamic: dynamicOf,
};

/** What a text is as a value of a type; null when it is none, and for no text at all. */
export function fromText(type: KqlType, text: string): KqlValue {
  if (type === "string") return text;
  const trimmed = text.trim();
  return trimmed === "" ? null : CONVERSIONS[type](trimmed);
}

function boolOf(text: string): boolean | null {
  const known = BOOLS.get(text.toLowerCase());
  if (known !== undefined) return known;
  const number = longOf(text);
  return number === null ? null : number !== 0n;
}

function longOf(text: string): bigint | null {
  const value = integerOf(text);
  return value === undefined || value > LONG_MAX || value < -LONG_MAX - 1n ? null : value;
}

function intOf(text: string): number | null {
  const value = integerOf(text);
  return value === undefined || value > INT_MAX || value < -INT_MAX - 1n ? null : Number(value);
}

function integerOf(text: string): bigint | undefined {
  if (INTEGER.test(text)) return BigInt(text.startsWith("+") ? text.slice(1) : text);
  if (!HEXADECIMAL.test(text)) return undefined;
  const magnitude = BigInt(text.replace(/^[+-]/u, ""));
  return text.startsWith("-") ? -magnitude : magnitude;
}

function realOf(text: string): number | null {
  if (REAL.test(text)) return Number(text);
  return SPECIAL_REALS.get(text.toLowerCase()) ?? null;
}

function decimalOf(text: string): string | null {
  const unscaled = unscaledDecimal(text);
  return unscaled === undefined ? null : decimalText(unscaled);
}

function guidOf(text: string): string | null {
  const [, inBraces, inParentheses] = BRACES.exec(text) ?? [];
  const bare = (inBraces ?? inParentheses ?? text).toLowerCase();
  if (!GUID.test(bare)) return null;
  return bare.replaceAll("-", "").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, "$1-$2-$3-$4-$5");
}

/** JSON, or else the text itself. */
function dynamicOf(text: string): KqlValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
