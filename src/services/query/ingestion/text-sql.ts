import { runtimeFunction, type RuntimeFunction } from "#engines/kql/runtime/runtime-function.ts";
import type { KqlType } from "#engines/kql/types.ts";
import { fromText } from "./text-values.ts";

/**
 * Conversions of text in SQL, for large files: what most texts look like is converted there, all
 * others by the functions of JavaScript, so that both ways give the same values.
 */

const CONVERTED = ["bool", "int", "long", "real", "decimal", "datetime", "timespan"] as const;
const CONVERTED_TEXT = ["guid", "dynamic"] as const;

/** What the SQL below calls. */
export const ingestionFunctions: readonly RuntimeFunction[] = [
  ...CONVERTED.map(conversion),
  ...CONVERTED_TEXT.map(conversion),
];

function conversion(type: KqlType): RuntimeFunction {
  const declared = runtimeFunction(`ingest_${type}`, ["string"], type, () => null);
  return { ...declared, run: (text) => fromText(type, typeof text === "string" ? text : "") };
}

const EPOCH_TICKS = "621355968000000000";
const INTEGER = "'[+-]?[0-9]{1,18}'";
const REAL = "'[+-]?[0-9]+([.][0-9]+)?'";
const DECIMAL = "'[+-]?[0-9]{1,18}([.][0-9]{1,18})?'";
const SECONDS = "[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}";
const DATETIME = `'[0-9]{4}-[0-9]{2}-[0-9]{2}|${SECONDS}([.][0-9]{1,6})?Z?'`;
/** What JavaScript writes; many times as fast as a regular expression. */
const DATETIME_MS = "'____-__-__T__:__:__.___Z'";
const DATETIME_TICKS = `'${SECONDS}[.][0-9]{7}Z?'`;
const GUID = "'[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}'";

/** Numbers that DuckDB takes for JSON, and a trailing comma. */
const NO_JSON = "'[:,[]\\s*[+-]?(?i:nan|inf)|,\\s*[]}]'";

/** The SQL expression for what a text (an expression itself, or null) is as a type. */
export function sqlFromText(type: KqlType, text: string): string {
  if (type === "string") return `coalesce(${text}, '')`;
  const other = `kql_ingest_${type}_0(${text})`;
  const fast = FAST[type]?.(text);
  const empty = `when ${text} is null or ${text} = '' then null`;
  if (fast === undefined) return `case ${empty} else ${other} end`;
  return `case ${empty} ${fast} else ${other} end`;
}

const FAST: Partial<Record<KqlType, (text: string) => string>> = {
  bool: (text) => `when lower(${text}) = 'true' then true when lower(${text}) = 'false' then false`,
  int: (text) => `when ${matches(text, INTEGER)} then try_cast(${text} as integer)`,
  long: (text) => `when ${matches(text, INTEGER)} then try_cast(${text} as bigint)`,
  real: (text) => `when ${matches(text, REAL)} then try_cast(${text} as double)`,
  decimal: (text) => `when ${matches(text, DECIMAL)} then try_cast(${text} as decimal(38, 18))`,
  datetime: (text) =>
    `when ${text} like ${DATETIME_MS} and ${inTime(text)} then ${ticks(text)} ` +
    `when ${matches(text, DATETIME)} and ${inTime(text)} then ${ticks(text)} ` +
    `when ${matches(text, DATETIME_TICKS)} and ${inTime(text)} ` +
    `then ${ticks(`left(${text}, 26)`)} + cast(substr(${text}, 27, 1) as bigint)`,
  dynamic: (text) =>
    `when left(${text}, 1) in ('{', '[') and json_valid(${text}) ` +
    `and not regexp_matches(${text}, ${NO_JSON}) then json(${text})::varchar`,
  guid: (text) => `when ${matches(text, GUID)} then lower(${text})`,
};

/** A year that there is, which begins with a digit: DuckDB knows years before 1. */
function inTime(text: string): string {
  return `${text} between '0001' and ':'`;
}

/** Null for what looks like a time and is none, such as a 30th of February. */
function ticks(text: string): string {
  return `epoch_us(try_cast(${text} as timestamp)) * 10 + ${EPOCH_TICKS}`;
}

function matches(text: string, pattern: string): string {
  return `regexp_full_match(${text}, ${pattern})`;
}
