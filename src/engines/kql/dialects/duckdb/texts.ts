import type { Sql } from "./sql.ts";
import { timestampOf } from "./sql.ts";

/** SQL that spells a value as the language does (`tostring`, and cells of answers). */
export function textOf(value: Sql): string {
  switch (value.type) {
    case "string":
      return value.text;
    case "bool":
      return orEmpty(value, `CASE WHEN ${value.text} THEN 'True' ELSE 'False' END`);
    case "int":
    case "long":
      return orEmpty(value, `CAST(${value.text} AS VARCHAR)`);
    case "real":
      return orEmpty(value, realText(value.text));
    case "decimal":
      return orEmpty(value, decimalText(value.text));
    case "datetime":
      return orEmpty(value, datetimeText(value.text));
    case "timespan":
      return orEmpty(value, timespanText(value.text));
    case "guid":
      return orEmpty(value, value.text);
    case "dynamic":
      return `coalesce(${unwrapped(value.text)}, '')`;
  }
}

function orEmpty(value: Sql, text: string): string {
  if (!value.isNullable) return `(${text})`;
  return `CASE WHEN ${value.text} IS NULL THEN '' ELSE ${text} END`;
}

/** JSON text as the text it holds: strings lose their quotes, everything else stays. */
export function unwrapped(json: string): string {
  return `CASE WHEN starts_with(${json}, '"') THEN ${json} ->> '$' ELSE ${json} END`;
}

/** `1.0`, `1e+20`, `NaN`. */
function realText(text: string): string {
  return (
    `CASE WHEN isnan(${text}) THEN 'NaN' WHEN isinf(${text}) ` +
    `THEN CASE WHEN ${text} > 0 THEN 'Infinity' ELSE '-Infinity' END ` +
    `ELSE CAST(${text} AS VARCHAR) END`
  );
}

/** Digits without zeros at the end. */
export function decimalText(text: string): string {
  return `regexp_replace(CAST(${text} AS VARCHAR), '\\.?0+$', '')`;
}

/** `2014-01-01T01:01:01.0000000Z`. */
export function datetimeText(text: string): string {
  return (
    `strftime(${timestampOf(text)}, '%Y-%m-%dT%H:%M:%S.') || ` +
    `lpad(CAST((${text}) % 10000000 AS VARCHAR), 7, '0') || 'Z'`
  );
}

/** `[-][d.]hh:mm:ss[.fffffff]`. */
export function timespanText(text: string): string {
  const ticks = `abs(${text})`;
  const two = (value: string) => `lpad(CAST(${value} AS VARCHAR), 2, '0')`;
  return (
    `CASE WHEN ${text} < 0 THEN '-' ELSE '' END || ` +
    `CASE WHEN ${ticks} >= 864000000000 THEN CAST(${ticks} // 864000000000 AS VARCHAR) || '.' ` +
    `ELSE '' END || ${two(`${ticks} // 36000000000 % 24`)} || ':' || ` +
    `${two(`${ticks} // 600000000 % 60`)} || ':' || ${two(`${ticks} // 10000000 % 60`)} || ` +
    `CASE WHEN ${ticks} % 10000000 = 0 THEN '' ` +
    `ELSE '.' || lpad(CAST(${ticks} % 10000000 AS VARCHAR), 7, '0') END`
  );
}

/** The value as JSON text (`dynamic`); NULL stays NULL. */
export function jsonOf(value: Sql): string {
  switch (value.type) {
    case "dynamic":
      return value.text;
    case "string":
      return `CAST(to_json(${value.text}) AS VARCHAR)`;
    case "bool":
    case "int":
    case "long":
      return `CAST(${value.text} AS VARCHAR)`;
    case "decimal":
      return `('"' || ${decimalText(value.text)} || '"')`;
    case "real":
      return realJson(value.text);
    case "datetime":
      return `('"' || ${datetimeText(value.text)} || '"')`;
    case "timespan":
      return `('"' || ${timespanText(value.text)} || '"')`;
    case "guid":
      return `('"' || ${value.text} || '"')`;
  }
}

// NaN and infinities are not JSON; the service writes them as strings.
function realJson(text: string): string {
  return (
    `CASE WHEN isnan(${text}) THEN '"NaN"' WHEN isinf(${text}) THEN ` +
    `CASE WHEN ${text} > 0 THEN '"Infinity"' ELSE '"-Infinity"' END ` +
    `ELSE CAST(${text} AS VARCHAR) END`
  );
}

/** The value as an element of a row on the wire, for `json_array`. */
export function cellOf(value: Sql): string {
  switch (value.type) {
    case "real":
      return (
        `CASE WHEN isfinite(${value.text}) OR ${value.text} IS NULL THEN to_json(${value.text}) ` +
        `ELSE to_json(${realText(value.text)}) END`
      );
    case "decimal":
      return decimalText(value.text);
    case "datetime":
      return datetimeText(value.text);
    case "timespan":
      return timespanText(value.text);
    case "dynamic":
      return unwrapped(value.text);
    case "bool":
    case "int":
    case "long":
    case "string":
    case "guid":
      return value.text;
  }
}
