import { jsonText } from "#engines/duckdb/json-text.ts";
import type { KqlType, KqlValue } from "../../types.ts";
import { nullOf, quote, SQL_TYPES, type Sql } from "./sql.ts";

/** A literal of the language as SQL. */
export function literalSql(type: KqlType, value: KqlValue): Sql {
  if (value === null) {
    return { text: nullOf(type), type, isNullable: type !== "string", constant: { value } };
  }
  return { text: valueText(type, value), type, isNullable: false, constant: { value } };
}

function valueText(type: KqlType, value: NonNullable<KqlValue>): string {
  return LITERALS[type](value);
}

type LiteralWriter = (value: NonNullable<KqlValue>) => string;

const whole = (sqlType: string): LiteralWriter => {
  return (value) => longText(plainText(value), sqlType);
};

const LITERALS: Readonly<Record<KqlType, LiteralWriter>> = {
  bool: (value) => (value === true ? "true" : "false"),
  int: whole(SQL_TYPES.int),
  long: whole(SQL_TYPES.long),
  datetime: whole(SQL_TYPES.datetime),
  timespan: whole(SQL_TYPES.timespan),
  real: (value) =>
    Number.isFinite(value) ? `${plainText(value)}::DOUBLE` : `'${plainText(value)}'::DOUBLE`,
  decimal: (value) => `CAST('${plainText(value)}' AS DECIMAL(38,18))`,
  string: (value) => quote(plainText(value)),
  guid: (value) => quote(plainText(value)),
  dynamic: (value) => quote(jsonText(value)),
};

function plainText(value: NonNullable<KqlValue>): string {
  return typeof value === "object" ? jsonText(value) : String(value);
}

// `-9223372036854775808::BIGINT` would negate a number that does not fit.
function longText(digits: string, sqlType: string): string {
  return digits.startsWith("-") ? `CAST('${digits}' AS ${sqlType})` : `${digits}::${sqlType}`;
}
