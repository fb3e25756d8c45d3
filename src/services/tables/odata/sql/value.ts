import type { Column, ColumnType } from "../../definitions/types.ts";
import { badQuery } from "../../protocol/refusals.ts";
import { sql, type Cell, type Dialect, type Sql } from "../../storage/sql.ts";
import type { LiteralNode, LiteralType } from "../syntax/ast.ts";

export type ValueType = LiteralType;

/** Something that has a value for each row. */
export interface Value {
  readonly type: ValueType;
  readonly sql: Sql;
  /** Of a plain column of a row; undefined for what is computed. */
  readonly column: Column | undefined;
  /** Of a literal of the query, until it is known what it is compared with. */
  readonly literal: LiteralNode | undefined;
  /** The place in the query. */
  readonly at: number;
}

/** The type of a column's values in queries. */
export function typeOfColumn(column: Column): ValueType {
  if (column.type === "DateTime") return column.behavior === "DateOnly" ? "date" : "time";
  return TYPES[column.type];
}

const TYPES: Readonly<Record<Exclude<ColumnType, "DateTime">, ValueType>> = {
  BigInt: "number",
  Boolean: "boolean",
  Customer: "guid",
  Decimal: "number",
  Double: "number",
  EntityName: "text",
  Integer: "number",
  Lookup: "guid",
  Memo: "text",
  Money: "number",
  Owner: "guid",
  Picklist: "number",
  State: "number",
  Status: "number",
  String: "text",
  Uniqueidentifier: "guid",
};

export function computed(type: ValueType, piece: Sql, at: number): Value {
  return { type, sql: piece, column: undefined, literal: undefined, at };
}

/** A value of the query itself. Postgres has to be told types that it cannot see. */
export function parameter(cell: Cell, dialect: Dialect): Sql {
  if (dialect === "sqlite") return sql("?", [cell]);
  if (typeof cell === "number") {
    return sql(`cast(? as ${Number.isInteger(cell) ? "bigint" : "double precision"})`, [cell]);
  }
  return sql("cast(? as text)", [cell]);
}

/** A number of a query; whole numbers only as far as they are exact. */
export function numberOf(text: string, at: number): number {
  const value = Number(text);
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
  if (Number.isFinite(value) && isExact) return value;
  throw badQuery(`The number ${text.slice(0, 40)} at position ${at} is out of range.`);
}

const REAL: Readonly<Record<Dialect, string>> = {
  postgres: "double precision",
  sqlite: "real",
};

/** As a number with a fraction, so that no calculation can exceed whole numbers. */
export function asReal({ text, values }: Sql, dialect: Dialect): Sql {
  return sql(`cast(${text} as ${REAL[dialect]})`, values);
}

/** As a whole number. */
export function asWhole({ text, values }: Sql, dialect: Dialect): Sql {
  return sql(`cast(${text} as ${dialect === "sqlite" ? "integer" : "bigint"})`, values);
}

/**
 * As what values are compared by: texts without regard to case, everything else as it is. Columns
 * of texts have that as their collation in SQLite.
 */
export function folded({ type, column, sql: piece }: Value, dialect: Dialect): Sql {
  if (type !== "text" || column?.type === "EntityName") return piece;
  if (dialect === "postgres") return sql(`lower(${piece.text})`, piece.values);
  return column === undefined ? sql(`(${piece.text}) collate nocase`, piece.values) : piece;
}
