import type { KqlType } from "../../../types.ts";
import { nullOf, SQL_TYPES, type Sql } from "../sql.ts";
import { jsonOf, textOf, unwrapped } from "../texts.ts";
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
  switch (type) {
    case "string":
      return textOf(value);
    case "int":
    case "long":
      return toWhole(value, type);
    case "real":
      return toReal(value);
    case "decimal":
      return toDecimal(value);
    case "bool":
      return toBool(value);
    case "datetime":
      return toTime(value, "todatetime");
    case "timespan":
      return toTime(value, "totimespan");
    case "guid":
      return toGuid(value);
    case "dynamic":
      return jsonOf(value);
  }
}

const WHOLE = String.raw`^\s*[-+]?[0-9]+\s*$`;
const HEX = String.raw`^\s*0[xX][0-9a-fA-F]+\s*$`;

function toWhole(value: Sql, type: "int" | "long"): string {
  const sqlType = SQL_TYPES[type];
  switch (value.type) {
    case "int":
    case "long":
    case "bool":
    case "datetime":
    case "timespan":
      return `TRY_CAST(${value.text} AS ${sqlType})`;
    case "real":
      return saturated(value.text, type);
    case "decimal":
      return `TRY_CAST(trunc(${value.text}) AS ${sqlType})`;
    case "dynamic":
      return dynamicToWhole(value.text, type);
    case "string":
      return textToWhole(value.text, sqlType);
    case "guid":
      return nullOf(type);
  }
}

// DuckDB would round '3.14' to 3; only digits are a whole number.
function textToWhole(text: string, sqlType: string): string {
  return (
    `CASE WHEN regexp_matches(${text}, '${WHOLE}') THEN TRY_CAST(trim(${text}) AS ${sqlType}) ` +
    `WHEN regexp_matches(${text}, '${HEX}') THEN TRY_CAST(trim(${text}) AS ${sqlType}) END`
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
    `CASE WHEN NOT isfinite(${text}) THEN NULL WHEN ${text} >= ${high}::DOUBLE THEN CAST('${high}' AS ${sqlType}) ` +
    `WHEN ${text} <= '${low}'::DOUBLE THEN CAST('${low}' AS ${sqlType}) ` +
    `ELSE TRY_CAST(trunc(${text}) AS ${sqlType}) END`
  );
}

/** A long in a dynamic gives its lowest 32 bits as an int. */
function dynamicToWhole(text: string, type: "int" | "long"): string {
  const long = `TRY_CAST(CASE WHEN regexp_matches(${text}, '${WHOLE}') THEN ${text} END AS BIGINT)`;
  const bits =
    type === "long"
      ? long
      : `CAST(((${long}::HUGEINT + 2147483648) % 4294967296 + 4294967296) % ` +
        `4294967296 - 2147483648 AS INTEGER)`;
  const real = saturated(`TRY_CAST(${text} AS DOUBLE)`, type);
  return (
    `CASE WHEN starts_with(${text}, '"') ` +
    `THEN ${textToWhole(`(${text} ->> '$')`, SQL_TYPES[type])} ` +
    `WHEN ${text} = 'true' THEN 1 WHEN ${text} = 'false' THEN 0 ` +
    `ELSE coalesce(${bits}, ${real}) END`
  );
}

function toReal(value: Sql): string {
  if (value.type === "dynamic") return `TRY_CAST(${unwrapped(value.text)} AS DOUBLE)`;
  if (value.type === "guid") return nullOf("real");
  return `TRY_CAST(${value.text} AS DOUBLE)`;
}

function toDecimal(value: Sql): string {
  const text = value.type === "dynamic" ? unwrapped(value.text) : value.text;
  return `TRY_CAST(${text} AS ${SQL_TYPES.decimal})`;
}

function toBool(value: Sql): string {
  if (value.type === "bool") return value.text;
  if (value.type !== "string" && value.type !== "dynamic") {
    return `(TRY_CAST(${value.text} AS DOUBLE) <> 0)`;
  }
  const text = value.type === "dynamic" ? `coalesce(${unwrapped(value.text)}, '')` : value.text;
  return (
    `CASE lower(trim(${text})) WHEN 'true' THEN true WHEN 'false' THEN false ` +
    `ELSE ${textToWhole(text, SQL_TYPES.long)} <> 0 END`
  );
}

function toTime(value: Sql, name: "todatetime" | "totimespan"): string {
  const type = name === "todatetime" ? "datetime" : "timespan";
  if (value.type === type) return value.text;
  switch (value.type) {
    case "string":
      return `kql_${name}_0(${value.text})`;
    case "dynamic":
      return `kql_${name}_0(coalesce(${unwrapped(value.text)}, ''))`;
    case "int":
    case "long":
      return `CAST(${value.text} AS BIGINT)`;
    case "real":
    case "decimal":
      return type === "timespan"
        ? `TRY_CAST(trunc(CAST(${value.text} AS DOUBLE) * 864000000000) AS BIGINT)`
        : `TRY_CAST(trunc(${value.text}) AS BIGINT)`;
    case "datetime":
    case "timespan":
      return value.text;
    case "bool":
    case "guid":
      return nullOf(type);
  }
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
    `CASE WHEN trim(${text}) = '' OR trim(${text}) = 'null' THEN NULL ` +
    `WHEN json_valid(${text}) THEN CAST(json(${text}) AS VARCHAR) ` +
    `ELSE CAST(to_json(${text}) AS VARCHAR) END`
  );
}

/** A predicate of one argument that is never null. */
export function isEmpty(value: Sql): string {
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
