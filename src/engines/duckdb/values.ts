import {
  BIGINT,
  BOOLEAN,
  DECIMAL,
  DOUBLE,
  DuckDBDataChunk,
  DuckDBDecimalValue,
  INTEGER,
  VARCHAR,
  type DuckDBType,
  type DuckDBValue,
} from "@duckdb/node-api";
import type { KqlType, KqlValue } from "#engines/kql/types.ts";
import { decimalText, DECIMAL_SCALE, DECIMAL_WIDTH, unscaledDecimal } from "./decimal-text.ts";
import { jsonText, parseJson } from "./json-text.ts";

/** The physical type in which values of each type are stored and computed. */
export const DUCKDB_TYPES: Readonly<Record<KqlType, DuckDBType>> = {
  bool: BOOLEAN,
  int: INTEGER,
  long: BIGINT,
  real: DOUBLE,
  decimal: DECIMAL(DECIMAL_WIDTH, DECIMAL_SCALE),
  string: VARCHAR,
  datetime: BIGINT,
  timespan: BIGINT,
  guid: VARCHAR,
  dynamic: VARCHAR,
};

/** The same as SQL spells them. */
export function sqlType(type: KqlType): string {
  return DUCKDB_TYPES[type].toString();
}

/** Most rows of one chunk. */
export const CHUNK_ROWS = 2048;

/** A value that SQL gave, in JavaScript. */
export function fromDuckDb(value: DuckDBValue, type: KqlType): KqlValue {
  if (value === null) return type === "string" ? "" : null;
  if (typeof value === "string") return type === "dynamic" ? parseJson(value) : value;
  if (value instanceof DuckDBDecimalValue) return decimalText(value.value);
  if (typeof value === "object") throw new TypeError(`SQL gave no plain value for a ${type}.`);
  return value;
}

/** A value in the form that SQL stores. */
export function toDuckDb(value: KqlValue, type: KqlType): DuckDBValue {
  if (value === null) return type === "string" ? "" : null;
  if (type === "dynamic") return jsonText(value);
  if (type === "decimal" && typeof value === "string") return toDecimal(value);
  if (typeof value === "object") throw new TypeError(`A ${type} cannot be ${jsonText(value)}.`);
  return value;
}

function toDecimal(text: string): DuckDBDecimalValue | null {
  const unscaled = unscaledDecimal(text);
  if (unscaled === undefined) return null;
  return new DuckDBDecimalValue(unscaled, DECIMAL_WIDTH, DECIMAL_SCALE);
}

/** One chunk of rows, `CHUNK_ROWS` at most, by columns. */
export function createChunk(
  types: readonly KqlType[],
  rows: readonly (readonly KqlValue[])[],
): DuckDBDataChunk {
  const physical = types.map((type) => DUCKDB_TYPES[type]);
  const chunk = DuckDBDataChunk.create(physical, rows.length);
  for (const [index, type] of types.entries()) {
    const values = rows.map((row) => toDuckDb(row[index] ?? null, type));
    chunk.setColumnValues(index, values);
  }
  return chunk;
}

/** The rows of a chunk as values of the columns' types. */
export function rowsOf(chunk: DuckDBDataChunk, types: readonly KqlType[]): KqlValue[][] {
  const { rowCount } = chunk;
  const rows: KqlValue[][] = Array.from({ length: rowCount }, () => []);
  for (const [column, type] of types.entries()) {
    const vector = chunk.getColumnVector(column);
    for (const [index, row] of rows.entries()) row.push(fromDuckDb(vector.getItem(index), type));
  }
  return rows;
}
