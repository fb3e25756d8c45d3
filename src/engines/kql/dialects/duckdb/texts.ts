import type { KqlType } from "../../types.ts";
import { quote, timestampOf, type Sql } from "./sql.ts";

type Writer = (value: string) => string;

/** SQL that spells a value as the language does (`tostring`, and cells of answers). */
export function textOf(value: Sql): string {
  if (value.type === "string") return value.text;
  if (value.type === "dynamic") return `coalesce(${unwrappedSql(value)}, '')`;
  return orEmpty(value, TEXTS[value.type](value.text));
}

function same(text: string): string {
  return text;
}

function digits(text: string): string {
  return `CAST(${text} AS VARCHAR)`;
}

const TEXTS: Readonly<Record<Exclude<KqlType, "string" | "dynamic">, Writer>> = {
  bool: (text) => `CASE WHEN ${text} THEN 'True' ELSE 'False' END`,
  int: digits,
  long: digits,
  real: realText,
  decimal: decimalText,
  datetime: datetimeText,
  timespan: timespanText,
  guid: same,
};

function orEmpty(value: Sql, text: string): string {
  if (!value.isNullable) return `(${text})`;
  return `CASE WHEN ${value.text} IS NULL THEN '' ELSE ${text} END`;
}

/** The text that a dynamic holds. */
export function unwrappedSql({ text, within }: Sql): string {
  if (within === undefined) return unwrapped(text);
  // Conversions look at the text several times; taking it out of the JSON is what costs.
  return within.once(`json_extract_string(${within.root}, ${quote(within.path)})`);
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
function decimalText(text: string): string {
  return `regexp_replace(CAST(${text} AS VARCHAR), '\\.?0+$', '')`;
}

/** `2014-01-01T01:01:01.0000000Z`. */
function datetimeText(text: string): string {
  return (
    `strftime(${timestampOf(text)}, '%Y-%m-%dT%H:%M:%S.') || ` +
    `lpad(CAST((${text}) % 10000000 AS VARCHAR), 7, '0') || 'Z'`
  );
}

function two(value: string): string {
  return `lpad(CAST(${value} AS VARCHAR), 2, '0')`;
}

/** `[-][d.]hh:mm:ss[.fffffff]`. */
function timespanText(text: string): string {
  const ticks = `abs(${text})`;
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
  return JSONS[value.type](value.text);
}

function quoted(write: Writer): Writer {
  return (text) => `('"' || ${write(text)} || '"')`;
}

const JSONS: Readonly<Record<KqlType, Writer>> = {
  dynamic: same,
  string: (text) => `CAST(to_json(${text}) AS VARCHAR)`,
  bool: digits,
  int: digits,
  long: digits,
  decimal: quoted(decimalText),
  real: realJson,
  datetime: quoted(datetimeText),
  timespan: quoted(timespanText),
  guid: quoted(same),
};

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
  return CELLS[value.type](value.text);
}

const CELLS: Readonly<Record<KqlType, Writer>> = {
  bool: same,
  int: same,
  long: same,
  string: same,
  guid: same,
  real: (text) =>
    `CASE WHEN isfinite(${text}) OR ${text} IS NULL THEN to_json(${text}) ` +
    `ELSE to_json(${realText(text)}) END`,
  decimal: decimalText,
  datetime: datetimeText,
  timespan: timespanText,
  dynamic: unwrapped,
};
