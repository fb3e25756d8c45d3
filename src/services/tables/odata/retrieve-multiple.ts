import type { Table } from "../definitions/table.ts";
import { PAGE_SIZE_MAX } from "../protocol/prefer.ts";
import { joined, sql, type Row, type Sql } from "../storage/sql.ts";
import { columnsToRead, orderColumn, orderColumns, selectOf } from "./columns.ts";
import { expandRows } from "./expand.ts";
import { found, type FoundRows } from "./found.ts";
import { queryingFor, readRows, type Asked, type QueryContext } from "./query.ts";
import { belongsTo, type Owner } from "./sql/collections.ts";
import { compileCondition } from "./sql/conditions.ts";
import { after, isStoredOrder, orderBy, rowOrder, type OrderTerm } from "./sql/ordering.ts";
import { fromOf, tableScope, type TableScope } from "./sql/scope.ts";
import { compileSearch } from "./sql/search.ts";
import type { QueryOptions } from "./syntax/ast.ts";
import { parseOptions } from "./syntax/options.ts";
import { readToken, writeToken } from "./token.ts";

/** What a count goes up to. */
const COUNT_MAX = 5000;

export interface Page extends FoundRows {
  /** Of all pages, and no further than `COUNT_MAX`; undefined when nobody asked. */
  readonly count: number | undefined;
  readonly isCountCut: boolean;
  /** For the page after this one; undefined when there is none. */
  readonly skipToken: string | undefined;
}

/** A page of the rows that a query describes; with `owner`, of those that belong to a row. */
export async function retrieveMultiple(
  context: QueryContext,
  table: Table,
  asked: Asked,
  owner?: Owner,
): Promise<Page> {
  const querying = queryingFor(context, asked);
  querying.requireRead(table);
  const options = parseOptions(asked.query);
  const select = selectOf(table, options);
  const scope = tableScope(querying, table);
  const conditions = conditionsOf(scope, options, owner);
  const order = rowOrder(scope, options.orderby);
  const skip = asked.query.get("$skiptoken");
  const token = skip === undefined ? undefined : readToken(skip, typesOf(order));
  const past = token === undefined ? [] : [after(order, token.cells, querying.dialect)];
  const size = pageSizeOf(options, asked);
  const columns = joined([columnsToRead(scope, select, options), orderColumns(order)], ", ");
  const limit = size.isLast ? size.rows : size.rows + 1;
  const conditionsOfPage = [...conditions, ...past];
  const query = pageQuery(scope, { columns, conditions: conditionsOfPage, order, limit });
  const read = await readRows(asked.reader, query);
  const rows = read.slice(0, size.rows).map(found);
  await expandRows(querying, asked, { table, rows }, options.expand);
  const last = read.length > size.rows ? rows.at(-1) : undefined;
  return {
    table,
    select,
    rows,
    ...(await counted(scope, asked, options.count ? conditions : undefined)),
    skipToken:
      last && writeToken({ page: (token?.page ?? 1) + 1, cells: cellsOf(order, last.row) }),
  };
}

interface PageQuery {
  readonly columns: Sql;
  readonly conditions: readonly Sql[];
  readonly order: readonly OrderTerm[];
  readonly limit: number;
}

/** SQLite sorts whole rows, so it is made to sort their numbers and then to read those it needs. */
function pageQuery(scope: TableScope, { columns, conditions, order, limit }: PageQuery): Sql {
  const { dialect } = scope.querying;
  const from = sql(`from ${fromOf(scope)}`);
  const ordered = orderBy(order, dialect);
  const page = [from, ...whereAll(conditions), ordered, sql("limit ?", [limit])];
  if (dialect === "postgres" || isStoredOrder(order)) {
    return joined([sql("select"), columns, ...page], " ");
  }
  const rowid = `${scope.name}.rowid`;
  const { text, values } = joined([sql(`select ${rowid} as number`), ...page], " ");
  // In `from`, where conditions may be as deep as everywhere else; `cross` keeps it first.
  const numbered = sql(`from (${text}) page cross join ${fromOf(scope)}`, values);
  const where = sql(`where ${rowid} = page.number`);
  return joined([sql("select"), columns, numbered, where, ordered], " ");
}

/** The number of rows that a query describes, and no further than `COUNT_MAX`. */
export async function countRows(
  context: QueryContext,
  table: Table,
  asked: Asked,
  owner?: Owner,
): Promise<number> {
  const querying = queryingFor(context, asked);
  querying.requireRead(table);
  const scope = tableScope(querying, table);
  const { count } = await counted(
    scope,
    asked,
    conditionsOf(scope, parseOptions(asked.query), owner),
  );
  return count ?? 0;
}

async function counted(scope: TableScope, asked: Asked, conditions: readonly Sql[] | undefined) {
  if (conditions === undefined) return { count: undefined, isCountCut: false };
  const { text, values } = joined(
    [
      sql(`select 1 as one from ${fromOf(scope)}`),
      ...whereAll(conditions),
      sql("limit ?", [COUNT_MAX + 1]),
    ],
    " ",
  );
  const [row] = await readRows(
    asked.reader,
    sql(`select count(*) as count from (${text}) counted`, values),
  );
  const count = Number(row?.["count"] ?? 0);
  return { count: Math.min(count, COUNT_MAX), isCountCut: count > COUNT_MAX };
}

function conditionsOf(
  scope: TableScope,
  { filter, search, apply }: QueryOptions,
  owner: Owner | undefined,
): readonly Sql[] {
  const steps = apply.flatMap((step) => (step.kind === "filter" ? [step.condition] : []));
  const filters = [...steps, ...(filter === undefined ? [] : [filter])];
  return [
    ...(owner === undefined ? [] : [belongsTo(owner, scope)]),
    ...filters.map((one) => compileCondition(scope, one)),
    ...(search === undefined ? [] : [compileSearch(scope, search)]),
  ];
}

/** `where` with all conditions; nothing without any. */
export function whereAll(conditions: readonly Sql[]): readonly Sql[] {
  if (conditions.length === 0) return [];
  const { text, values } = joined(conditions, " and ");
  return [sql(`where ${text}`, values)];
}

/** `$top` ends the list; a page size, which wins over it, only cuts it into pages. */
function pageSizeOf({ top }: QueryOptions, { preferences: { pageSize } }: Asked) {
  if (pageSize === undefined && top !== undefined) {
    return { rows: Math.min(top, PAGE_SIZE_MAX), isLast: true };
  }
  return { rows: pageSize ?? PAGE_SIZE_MAX, isLast: false };
}

function typesOf(order: readonly OrderTerm[]) {
  return order.map(({ value }) => value.type);
}

function cellsOf(order: readonly OrderTerm[], row: Row) {
  return order.map((_, at) => row[orderColumn(at)] ?? null);
}
