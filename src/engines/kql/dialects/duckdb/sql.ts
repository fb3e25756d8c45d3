import type { KqlType } from "../../types.ts";
import type { KqlValue } from "../../types.ts";

/** SQL text of an expression, with what its use needs to know. */
export interface Sql {
  readonly text: string;
  readonly type: KqlType;
  /** Whether it can be NULL; strings never are. */
  readonly isNullable: boolean;
  /** The value, when the expression is a literal. */
  readonly constant?: { readonly value: KqlValue };
  /** Of a dynamic: where it lies in another one, so that a path of several steps is one. */
  readonly within?: Within;
}

export interface Within {
  readonly root: string;
  readonly path: string;
  /** Computes an expression once per row and gives the name of its value. */
  readonly once: (sql: string) => string;
}

/** The SQL type that holds values of each type of the language. */
export const SQL_TYPES: Readonly<Record<KqlType, string>> = {
  bool: "BOOLEAN",
  int: "INTEGER",
  long: "BIGINT",
  real: "DOUBLE",
  decimal: "DECIMAL(38,18)",
  string: "VARCHAR",
  datetime: "BIGINT",
  timespan: "BIGINT",
  guid: "VARCHAR",
  dynamic: "VARCHAR",
};

/** Stands for the moment of the query; `quote` lets no text hold its first sign. */
export const NOW = "\u0001now\u0001";

/** The statement at a moment, in ticks. */
export function withNow(sql: string, now: bigint): string {
  return sql.replaceAll(NOW, `${String(now)}::BIGINT`);
}

/** A text as an SQL literal. The one place where text becomes part of a statement. */
export function quote(text: string): string {
  // A NUL would end the statement early in some drivers; chr() keeps it out of the text.
  // oxlint-disable-next-line no-control-regex
  const pieces = text.split(/(\0|\u0001)/);
  if (pieces.length === 1) return quotePlain(text);
  const all = pieces.map((piece) => {
    if (piece === "\0") return "chr(0)";
    return piece === "\u0001" ? "chr(1)" : quotePlain(piece);
  });
  return `(${all.join(" || ")})`;
}

function quotePlain(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** NULL of a type; for strings, which have no null, the empty text. */
export function nullOf(type: KqlType): string {
  return type === "string" ? "''" : `NULL::${SQL_TYPES[type]}`;
}

export const TICKS_PER_DAY = 864_000_000_000n;
const UNIX_EPOCH_MICROS = "62135596800000000";

/** Ticks as a TIMESTAMP, which has microseconds. */
export function timestampOf(ticks: string): string {
  return `make_timestamp((${ticks}) // 10 - ${UNIX_EPOCH_MICROS})`;
}

/** A TIMESTAMP as ticks. */
export function ticksOf(timestamp: string): string {
  return `((epoch_us(${timestamp}) + ${UNIX_EPOCH_MICROS}) * 10)`;
}

/** The last moment of the year 9999. */
export const TICKS_MAX = 3_155_378_975_999_999_999n;

/** Ticks that are a datetime; those before the year 1 or after 9999 are null. */
export function withinCalendar(ticks: string): string {
  return `CASE WHEN ${ticks} BETWEEN 0 AND ${TICKS_MAX} THEN ${ticks} END`;
}

/** A HUGEINT wrapped into a BIGINT, as the language does on overflow. */
export function wrapLong(huge: string): string {
  const h = "9223372036854775808::HUGEINT";
  const p = "18446744073709551616::HUGEINT";
  return `CAST((((${huge}) + ${h}) % ${p} + ${p}) % ${p} - ${h} AS BIGINT)`;
}
