import { isLookup, type Table } from "../definitions/table.ts";
import type { Column } from "../definitions/types.ts";
import { columnOf, rowsOf } from "../storage/physical.ts";
import { joined, sql, type Reader, type Row, type Sql } from "../storage/sql.ts";
import { orderBy, type OrderTerm } from "./order.ts";

export interface RowsQuery {
  readonly table: Table;
  /** Columns to read beside those that every answer needs; undefined for all. */
  readonly select: readonly Column[] | undefined;
  /** All of them hold for every row. */
  readonly conditions: readonly Sql[];
  readonly order: readonly OrderTerm[];
  readonly limit: number;
}

/** What a count goes up to. */
export const COUNT_MAX = 5000;

export function readRows(reader: Reader, query: RowsQuery): Promise<readonly Row[]> {
  const { table, conditions, order, limit } = query;
  const where = whereAll(conditions);
  return reader.rows(
    sql(
      `select ${columnsToRead(query)} from ${rowsOf(table)}${where.text} ` +
        `order by ${orderBy(order, reader.dialect)} limit ?`,
      [...where.values, limit],
    ),
  );
}

/** The number of rows, and no further than the limit. */
export async function countRows(
  reader: Reader,
  table: Table,
  conditions: readonly Sql[],
): Promise<number> {
  const where = whereAll(conditions);
  const [row] = await reader.rows(
    sql(
      `select count(*) as count from (select 1 as one from ${rowsOf(table)}${where.text} ` +
        "limit ?) counted",
      [...where.values, COUNT_MAX],
    ),
  );
  return Number(row?.["count"] ?? 0);
}

function whereAll(conditions: readonly Sql[]): Sql {
  if (conditions.length === 0) return sql("");
  const { text, values } = joined(conditions, " and ");
  return sql(` where ${text}`, values);
}

/** A lookup needs the column that says which table it refers to; a page what orders its rows. */
function columnsToRead({ table, select, order }: RowsQuery): string {
  if (select === undefined) return "*";
  const wanted = new Set(select);
  const further = select.flatMap((column) =>
    isLookup(column) && column.typeColumn !== undefined ? [column.typeColumn] : [],
  );
  for (const name of [table.primaryId, "versionnumber", ...further]) {
    const column = table.column(name);
    if (column !== undefined) wanted.add(column);
  }
  for (const { column } of order) wanted.add(column);
  return [...wanted].map((column) => columnOf(column)).join(", ");
}
