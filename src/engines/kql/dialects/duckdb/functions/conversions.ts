import type { KqlType } from "../../../types.ts";
import { nullOf, quote, SQL_TYPES, type Sql } from "../sql.ts";
import { jsonOf, textOf, unwrapped, unwrappedSql } from "../texts.ts";
import { arg, type Emitter, type EmitterTable } from "./emitter.ts";

/** What does not convert is null (of strings: empty), never an error. */
export const conversions: EmitterTable = {
  tostring: ([value]) => (value === undefined ? undefined : textOf(value)),
  tolong: ([value]) => (value === undefined ? undefined : toWhole(value, "long")),
  toint: ([value]) => (value === undefined ? undefined : toWhole(value, "int")),
  todouble: ([value]) => (value === undefined ? undefined : toReal(value)),
  toreal: ([value]) => (value === undefined ? undefined : toReal(value)),
  todecimal: ([value]) => (value === undefined ? undefined : toDecimal(value)),
  tobool: ([value]) => (value === undefined ? undefined : toBool(value)),
  toboolean: ([value]) => (value === undefined ? undefined : toBool(value)),
  todatetime: ([value]) => (value === undefined ? undefined : toTime(value, "todatetime")),
  totimespan: ([value]) => (value === undefined ? undefined : toTime(value, "totimespan")),
  totime: ([value]) => (value === undefined ? undefined : toTime(value, "totimespan")),
  toguid: ([value]) => (value === undefined ? undefined : toGuid(value)),
  todynamic: parseJson,
  parse_json: parseJson,
  parsejson: parseJson,
  toobject: parseJson,
};

/** The value in another type, as the language converts by itself and in `to…`. */
export function castSql(value: Sql, type: KqlType): Sql {
  if (value.type === type) return value;
  const isNullable = type !== "string";
  return { text: castText(value, type), type, isNullable };
}

function castText(value: Sql, type: KqlType): string {
  return CASTS[type](value);
}

const CASTS: Readonly<Record<KqlType, (value: Sql) => string>> = {
  string: textOf,
  int: (value) => toWhole(value, "int"),
  long: (value) => toWhole(value, "long"),
  real: toReal,
  decimal: toDecimal,
  bool: toBool,
  datetime: (value) => toTime(value, "todatetime"),
  timespan: (value) => toTime(value, "totimespan"),
  guid: toGuid,
  dynamic: jsonOf,
};

function toWhole(value: Sql, type: "int" | "long"): string {
  const { text } = value;
  const sqlType = SQL_TYPES[type];
  if (value.type === "string") return textToWhole(text, sqlType);
  if (value.type === "dynamic") return dynamicToWhole(value, type);
  if (value.type === "real") return saturated(text, type);
  if (value.type === "decimal") return `TRY_CAST(trunc(${text}) AS ${sqlType})`;
  return value.type === "guid" ? nullOf(type) : `TRY_CAST(${text} AS ${sqlType})`;
}

/** Text that is a whole number in digits, in hexadecimal too; DuckDB would also round 3.14. */
function textToWhole(text: string, sqlType: string): string {
  const other = [".", "e", "E", "_"].map((sign) => `contains(${text}, '${sign}')`).join(" OR ");
  return (
    `CASE WHEN starts_with(${text}, '0x') THEN TRY_CAST(${text} AS ${sqlType}) ` +
    `WHEN ${other} THEN NULL ELSE TRY_CAST(${text} AS ${sqlType}) END`
  );
}

const WHOLE_RANGES = {
  int: ["-2147483648", "2147483647"],
  long: ["-9223372036854775808", "9223372036854775807"],
} as const;

/** A real beyond the whole numbers is the nearest of them. */
function saturated(text: string, type: "int" | "long"): string {
  const [low, high] = WHOLE_RANGES[type];
  const sqlType = SQL_TYPES[type];
  return (
    `CASE WHEN NOT isfinite(${text}) THEN NULL ` +
    `WHEN ${text} >= ${high}::DOUBLE THEN CAST('${high}' AS ${sqlType}) ` +
    `WHEN ${text} <= '${low}'::DOUBLE THEN CAST('${low}' AS ${sqlType}) ` +
    `ELSE TRY_CAST(trunc(${text}) AS ${sqlType}) END`
  );
}

/**
 * Most numbers in JSON are whole and small: these take the short way, where DuckDB, which would
 * round 1.5, is checked against the real. `otherToWhole` is for all that is left.
 */
function dynamicToWhole(value: Sql, type: "int" | "long"): string {
  const json = jsonOnce(value);
  const whole = `TRY_CAST(${json} AS ${SQL_TYPES[type]})`;
  const isWhole = `${whole} = TRY_CAST(${json} AS DOUBLE)`;
  const range = type === "long" ? ` AND ${whole} BETWEEN -${EXACT_MAX} AND ${EXACT_MAX}` : "";
  return `CASE WHEN ${isWhole}${range} THEN ${whole} ELSE ${otherToWhole(json, type)} END`;
}

/** Up to here every whole number is a real of its own. */
const EXACT_MAX = "9007199254740992";

/** A long in a dynamic gives its lowest 32 bits as an int, and a real the nearest int. */
function otherToWhole(json: string, type: "int" | "long"): string {
  const real = saturated(`TRY_CAST(${json} AS DOUBLE)`, type);
  return (
    `CASE WHEN ${json} = 'true' THEN 1 WHEN ${json} = 'false' THEN 0 ` +
    `WHEN starts_with(${json}, '"') THEN ${digitsToWhole(`(${json} ->> '$')`, type)} ` +
    `ELSE coalesce(${digitsToWhole(json, type)}, ${real}) END`
  );
}

function digitsToWhole(text: string, type: "int" | "long"): string {
  const isReal = `contains(${text}, '.') OR contains(${text}, 'e')`;
  const long = `CASE WHEN ${isReal} THEN NULL ELSE TRY_CAST(${text} AS BIGINT) END`;
  if (type === "long") return long;
  return (
    `CAST(((${long}::HUGEINT + 2147483648) % 4294967296 + 4294967296) % 4294967296 ` +
    `- 2147483648 AS INTEGER)`
  );
}

/** The JSON text; taking it out of the JSON around it is what costs, so that is done once. */
function jsonOnce({ text, within }: Sql): string {
  if (within === undefined) return text;
  return within.once(`CAST(json_extract(${within.root}, ${quote(within.path)}) AS VARCHAR)`);
}

function toReal(value: Sql): string {
  if (value.type === "dynamic") return `TRY_CAST(${unwrappedSql(value)} AS DOUBLE)`;
  if (value.type === "guid") return nullOf("real");
  return `TRY_CAST(${value.text} AS DOUBLE)`;
}

function toDecimal(value: Sql): string {
  const text = value.type === "dynamic" ? unwrappedSql(value) : value.text;
  return `TRY_CAST(${text} AS ${SQL_TYPES.decimal})`;
}

function toBool(value: Sql): string {
  if (value.type === "bool") return value.text;
  if (value.type !== "string" && value.type !== "dynamic") {
    return `(TRY_CAST(${value.text} AS DOUBLE) <> 0)`;
  }
  const text = value.type === "dynamic" ? `coalesce(${unwrappedSql(value)}, '')` : value.text;
  return (
    `CASE lower(trim(${text})) WHEN 'true' THEN true WHEN 'false' THEN false ` +
    `ELSE ${textToWhole(text, SQL_TYPES.long)} <> 0 END`
  );
}

type TimeFunction = "todatetime" | "totimespan";

function toTime(value: Sql, name: TimeFunction): string {
  const write = TIMES[value.type];
  return write === undefined ? value.text : write(value.text, name);
}

/** Types that are not here are ticks already. */
const TIMES: Partial<Readonly<Record<KqlType, (text: string, name: TimeFunction) => string>>> = {
  string: (text, name) => `kql_${name}_0(${text})`,
  dynamic: (text, name) => `kql_${name}_0(coalesce(${unwrapped(text)}, ''))`,
  int: (text) => `CAST(${text} AS BIGINT)`,
  real: realToTicks,
  decimal: realToTicks,
  bool: () => nullOf("datetime"),
  guid: () => nullOf("datetime"),
};

// A number is days as a timespan, and ticks as a datetime.
function realToTicks(text: string, name: TimeFunction): string {
  const ticks = name === "totimespan" ? `CAST(${text} AS DOUBLE) * 864000000000` : text;
  return `TRY_CAST(trunc(${ticks}) AS BIGINT)`;
}

function toGuid(value: Sql): string {
  if (value.type === "guid") return value.text;
  return `lower(CAST(TRY_CAST(${textOf(value)} AS UUID) AS VARCHAR))`;
}

/** Text that is not JSON becomes a JSON string. */
function parseJson(args: readonly Sql[]): string {
  const value = arg(args, 0);
  if (value.type !== "string") return jsonOf(value);
  const { text } = value;
  return (
    `CASE WHEN ${text} = '' OR trim(${text}) = 'null' THEN NULL ` +
    `WHEN json_valid(${text}) THEN CAST(json(${text}) AS VARCHAR) ` +
    `ELSE CAST(to_json(${text}) AS VARCHAR) END`
  );
}

/** A predicate of one argument that is never null. */
function isEmpty(value: Sql): string {
  return value.type === "string" ? `(${value.text} = '')` : `(${textOf(value)} = '')`;
}

export const emptiness: EmitterTable = {
  isnull: nullTest("IS NULL"),
  isnotnull: nullTest("IS NOT NULL"),
  notnull: nullTest("IS NOT NULL"),
  isempty: ([value]) => (value === undefined ? undefined : isEmpty(value)),
  isnotempty: ([value]) => (value === undefined ? undefined : `(NOT ${isEmpty(value)})`),
  notempty: ([value]) => (value === undefined ? undefined : `(NOT ${isEmpty(value)})`),
};

function nullTest(test: string): Emitter {
  return ([value]) => {
    if (value?.type === "string") return test === "IS NULL" ? "false" : "true";
    return `(${value?.text ?? ""} ${test})`;
  };
}
