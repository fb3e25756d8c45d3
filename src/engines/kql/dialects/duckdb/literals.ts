import type { Json, KqlType, KqlValue } from "../../types.ts";
import { nullOf, quote, SQL_TYPES, type Sql } from "./sql.ts";

/** A literal of the language as SQL. */
export function literalSql(type: KqlType, value: KqlValue): Sql {
  if (value === null) {
    return { text: nullOf(type), type, isNullable: type !== "string", constant: { value } };
  }
  return { text: valueText(type, value), type, isNullable: false, constant: { value } };
}

function valueText(type: KqlType, value: NonNullable<KqlValue>): string {
  switch (type) {
    case "bool":
      return value === true ? "true" : "false";
    case "int":
    case "long":
    case "datetime":
    case "timespan":
      return longText(String(value), SQL_TYPES[type]);
    case "real":
      return Number.isFinite(value) ? `${String(value)}::DOUBLE` : `'${String(value)}'::DOUBLE`;
    case "decimal":
      return `CAST('${String(value)}' AS DECIMAL(38,18))`;
    case "string":
    case "guid":
      return quote(String(value));
    case "dynamic":
      return quote(jsonText(value));
  }
}

// `-9223372036854775808::BIGINT` would negate a number that does not fit.
function longText(digits: string, sqlType: string): string {
  return digits.startsWith("-") ? `CAST('${digits}' AS ${sqlType})` : `${digits}::${sqlType}`;
}

/** JSON text with integers in full, whatever their size. */
export function jsonText(value: Json): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number" && !Number.isFinite(value)) return JSON.stringify(String(value));
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(jsonText).join(",")}]`;
  const entries = Object.entries(value).map(([key, one]) => {
    return `${JSON.stringify(key)}:${jsonText(one)}`;
  });
  return `{${entries.join(",")}}`;
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
