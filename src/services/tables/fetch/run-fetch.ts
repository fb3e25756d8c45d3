import { columnOf, compared, rowsOf } from "../storage/physical.ts";
import { sql, type Dialect, type Reader, type Row } from "../storage/sql.ts";
import type { Fetch, OrderTerm } from "./parse-fetch.ts";

export interface Fetched {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** A page of the rows that a query in FetchXML describes. */
export async function runFetch(reader: Reader, fetch: Fetch): Promise<Fetched> {
  const { table, place, condition, order, page, size } = fetch;
  const where =
    condition === undefined ? sql("") : sql(` where ${condition.text}`, condition.values);
  const columns = table.columns.map((column) => columnOf(column)).join(", ");
  const rows = await reader.rows(
    sql(
      `select ${columns} from ${rowsOf(table, place)}${where.text} ` +
        `order by ${orderBy(order, reader.dialect)} limit ? offset ?`,
      [...where.values, size + 1, (page - 1) * size],
    ),
  );
  return { rows: rows.slice(0, size), hasMore: !fetch.isLast && rows.length > size };
}

/** With nothing before everything else in both engines. */
function orderBy(order: readonly OrderTerm[], dialect: Dialect): string {
  return order
    .map(({ column, isDescending }) => {
      const nulls = dialect === "sqlite" ? "" : ` nulls ${isDescending ? "last" : "first"}`;
      return `${compared(column, dialect)} ${isDescending ? "desc" : "asc"}${nulls}`;
    })
    .join(", ");
}
