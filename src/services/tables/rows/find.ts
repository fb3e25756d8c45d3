import { Problem } from "#platform/problem.ts";
import type { Table } from "../definitions/table.ts";
import type { Column } from "../definitions/types.ts";
import { guidOf, parseNamed } from "../protocol/path.ts";
import { badQuery, CODES, noRow } from "../protocol/refusals.ts";
import { compared, rowsOf } from "../storage/physical.ts";
import { quoted, sql, type Cell, type Reader, type Row, type Sql } from "../storage/sql.ts";
import { cellOf } from "./cells.ts";

/** How a request names one row. */
export type RowKey =
  | { readonly kind: "alternate"; readonly values: ReadonlyMap<string, Cell> }
  | { readonly kind: "id"; readonly id: string };

/** What is between the parentheses after an entity set. */
export function parseKey(table: Table, args: string): RowKey {
  const id = guidOf(args);
  if (id !== undefined) return { kind: "id", id };
  if (!args.includes("=")) {
    throw badQuery(`The key (${args}) of ${table.entitySetName} is neither a GUID nor a key.`);
  }
  const named = parseNamed(args);
  const single = named.get(table.primaryId);
  if (named.size === 1 && single !== undefined) {
    const own = guidOf(single);
    if (own === undefined) throw badQuery(`The value ${single} of ${table.primaryId} is no GUID.`);
    return { kind: "id", id: own };
  }
  return { kind: "alternate", values: alternateValues(table, named) };
}

function alternateValues(
  table: Table,
  named: ReadonlyMap<string, string>,
): ReadonlyMap<string, Cell> {
  const names = [...named.keys()].map((name) => name.replace(/^_(.+)_value$/, "$1"));
  const key = table.keys.find(
    ({ columns }) => columns.length === names.length && columns.every((one) => names.includes(one)),
  );
  if (key === undefined) {
    throw badQuery(`The columns ${names.join(", ")} are not a key of ${table.logicalName}.`);
  }
  const values = [...named.values()];
  return new Map(
    names.map((name, at) => {
      const column = table.column(name);
      if (column === undefined) throw new Error(`The key ${key.name} has no column ${name}.`);
      return [name, cellOf(table, column, literalFor(column, values[at] ?? ""))];
    }),
  );
}

/** What a literal of a URL is as a value of a body. */
function literalFor(column: Column, literal: string): unknown {
  if (column.type === "Boolean") return literal === "true";
  const isNumber = /^-?\d+(\.\d+)?$/.test(literal);
  const isText = column.type === "String" || column.type === "Memo";
  return isNumber && !isText ? Number(literal) : literal;
}

/** The condition that holds for the row alone. */
function whereKey(table: Table, key: RowKey, reader: Reader): Sql {
  if (key.kind === "id") return sql(`${quoted(table.primaryId)} = ?`, [key.id]);
  const parts = [...key.values].map(([name, value]) => {
    const column = table.column(name);
    if (column === undefined) throw new Error(`${table.logicalName} has no column ${name}.`);
    const left = compared(column, reader.dialect);
    return { text: `${left} = ${left.startsWith("lower(") ? "lower(?)" : "?"}`, value };
  });
  return sql(
    parts.map(({ text }) => text).join(" and "),
    parts.map(({ value }) => value),
  );
}

export async function findRow(reader: Reader, table: Table, key: RowKey): Promise<Row | undefined> {
  const where = whereKey(table, key, reader);
  const [row] = await reader.rows(
    sql(`select * from ${rowsOf(table)} where ${where.text}`, where.values),
  );
  return row;
}

/** The row, or 404 in the words of how it was named. */
export async function requireRow(reader: Reader, table: Table, key: RowKey): Promise<Row> {
  const row = await findRow(reader, table, key);
  if (row === undefined) throw missing(table, key);
  return row;
}

export function missing(table: Table, key: RowKey): Problem {
  if (key.kind === "id") return noRow(table.logicalName, key.id);
  const values = [...key.values].map(([name, value]) => `${name}=${value}`).join(", ");
  return new Problem(
    404,
    CODES.KeyNotFound,
    `A record of ${table.logicalName} with the key ${values} does not exist.`,
  );
}

/** The id of a row that was read. */
export function idOf(table: Table, row: Row): string {
  return String(row[table.primaryId]);
}

/** `W/"n"`, from the row's version. */
export function etagOf(row: Row): string {
  return `W/"${row["versionnumber"] ?? 0}"`;
}
