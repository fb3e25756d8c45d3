import { isLookup, type Table } from "../definitions/table.ts";
import type { Column } from "../definitions/types.ts";
import { parseSelect } from "../protocol/select.ts";
import { columnOf } from "../storage/physical.ts";
import { joined, quoted, sql, type Sql } from "../storage/sql.ts";
import type { OrderTerm } from "./sql/ordering.ts";
import type { TableScope } from "./sql/scope.ts";
import type { QueryOptions } from "./syntax/ast.ts";

/** The columns of `$select`; undefined for all of them. */
export function selectOf(table: Table, { select }: QueryOptions): readonly Column[] | undefined {
  return select === undefined ? undefined : parseSelect(table, select.join(","));
}

/** What to read of a row: what it shows, and what showing and expanding it needs. */
export function columnsToRead(
  { table, name }: TableScope,
  select: readonly Column[] | undefined,
  { expand }: QueryOptions,
): Sql {
  const wanted = new Set(select ?? table.columns);
  for (const { path } of expand) {
    const navigation = table.navigation(path[0] ?? "");
    if (navigation?.kind === "single") wanted.add(navigation.column);
  }
  const types = [...wanted].flatMap((column) =>
    isLookup(column) && column.typeColumn !== undefined ? [column.typeColumn] : [],
  );
  for (const logicalName of [table.primaryId, "versionnumber", ...types]) {
    const column = table.column(logicalName);
    if (column !== undefined) wanted.add(column);
  }
  return sql([...wanted].map((column) => columnOf(column, name)).join(", "));
}

/** What orders a row, for the token of the page after it. */
export function orderColumns(order: readonly OrderTerm[]): Sql {
  const pieces = order.map(({ value }, at) =>
    sql(`${value.sql.text} as ${quoted(orderColumn(at))}`, value.sql.values),
  );
  return joined(pieces, ", ");
}

/** No column of a table has such a name. */
export function orderColumn(at: number): string {
  return `~${at}`;
}
