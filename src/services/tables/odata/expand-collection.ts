import { Problem } from "#platform/problem.ts";
import type { Navigation, SingleNavigation } from "../definitions/table.ts";
import { PAGE_SIZE_MAX } from "../protocol/prefer.ts";
import { CODES } from "../protocol/refusals.ts";
import { columnOf } from "../storage/physical.ts";
import { joined, quoted, sql, type Sql } from "../storage/sql.ts";
import { columnsToRead, orderColumn, orderColumns, selectOf } from "./columns.ts";
import type { Expanding, Parents } from "./expanding.ts";
import { found, type FoundRow } from "./found.ts";
import { readRows, type Asked } from "./query.ts";
import { among } from "./sql/among.ts";
import { linkColumns } from "./sql/collections.ts";
import { compileCondition } from "./sql/conditions.ts";
import { orderBy, rowOrder, type OrderTerm } from "./sql/ordering.ts";
import { fromOf, tableScope, targetTable, type TableScope } from "./sql/scope.ts";
import type { ExpandItem } from "./syntax/ast.ts";
import { writeToken } from "./token.ts";

/** Rows that one navigation property may add to a page. */
const ROWS_MAX = 50_000;

interface Many {
  readonly navigation: Exclude<Navigation, SingleNavigation>;
  readonly item: ExpandItem;
}

/** The rows that many rows lead to, of each as many as a page has. */
export async function expandCollection(
  expanding: Expanding,
  parents: Parents,
  { navigation, item }: Many,
): Promise<void> {
  const { querying, asked } = expanding;
  const table = targetTable(querying.catalog, navigation.target);
  querying.requireRead(table);
  const scope = tableScope(querying, table);
  const order = rowOrder(scope, item.options.orderby);
  const { size, limit } = sizeOf(item, asked);
  const ids = parents.rows.map(({ row }) => String(row[parents.table.primaryId]));
  const query = rankedQuery(scope, { navigation, item, order, ids, limit });
  const read = ids.length === 0 ? [] : await readRows(asked.reader, query);
  if (read.length > ROWS_MAX) throw tooMany(navigation.name);
  const children = read.map(found);
  await expanding.expand({ table, rows: children }, item.options.expand);
  const byParent = Map.groupBy(children, ({ row }) => row[KEY]);
  const select = selectOf(table, item.options);
  const nextOf = (last: FoundRow) =>
    nextQuery(item, asked, writeToken({ page: 2, cells: orderCells(order, last) }));
  for (const { row, expanded } of parents.rows) {
    const all = byParent.get(row[parents.table.primaryId] ?? null) ?? [];
    const last = all.length > size ? all[size - 1] : undefined;
    expanded.set(navigation.name, {
      table,
      select,
      rows: all.slice(0, size),
      isSingle: false,
      isReference: item.isReference,
      count: item.options.count ? countOf(all) : undefined,
      next: last && nextOf(last),
    });
  }
}

/** `$top` ends the rows; a page is followed by a link, so one row more is read. */
function sizeOf({ options: { top } }: ExpandItem, { preferences }: Asked) {
  if (top !== undefined) return { size: top, limit: top };
  const size = preferences.pageSize ?? PAGE_SIZE_MAX;
  return { size, limit: size + 1 };
}

function countOf([first]: readonly FoundRow[]): number {
  return Number(first?.row[COUNT] ?? 0);
}

function tooMany(name: string): Problem {
  const message = `'${name}' leads to more than ${ROWS_MAX} rows; ask for smaller pages.`;
  return new Problem(400, CODES.QuerySyntax, message);
}

function orderCells(order: readonly OrderTerm[], { row }: FoundRow) {
  return order.map((_, at) => row[orderColumn(at)] ?? null);
}

/** The options of the navigation property, with the aliases that they may name. */
function nextQuery({ written }: ExpandItem, { query }: Asked, token: string) {
  const aliases = [...query].filter(([name]) => name.startsWith("@"));
  return new Map([...written, ...aliases, ["$skiptoken", token]]);
}

const KEY = "~key";
const RANK = "~rank";
const COUNT = "~count";

interface Ranked extends Many {
  readonly order: readonly OrderTerm[];
  readonly ids: readonly string[];
  readonly limit: number;
}

/** The first rows of each parent, in order. */
function rankedQuery(scope: TableScope, ranked: Ranked): Sql {
  const { navigation, item, order, ids, limit } = ranked;
  const { querying, table } = scope;
  const { filter } = item.options;
  const condition = filter === undefined ? [] : [compileCondition(scope, filter)];
  const { key, join } = keyOf(scope, navigation);
  const ordered = orderBy(order, querying.dialect);
  const over = sql(`row_number() over (partition by ${key} ${ordered.text})`, ordered.values);
  const columns = [
    columnsToRead(scope, selectOf(table, item.options), item.options),
    orderColumns(order),
    sql(`${key} as ${quoted(KEY)}`),
    sql(`${over.text} as ${quoted(RANK)}`, over.values),
    ...(item.options.count ? [sql(`count(*) over (partition by ${key}) as ${quoted(COUNT)}`)] : []),
  ];
  const inner = joined(
    [
      sql("select"),
      joined(columns, ", "),
      sql(`from ${fromOf(scope)}`),
      join,
      sql("where"),
      joined([among(key, ids, querying.dialect), ...condition], " and "),
    ],
    " ",
  );
  return sql(
    `select * from (${inner.text}) ranked where ${quoted(RANK)} <= ? ` +
      `order by ${quoted(KEY)}, ${quoted(RANK)} limit ?`,
    [...inner.values, limit, ROWS_MAX + 1],
  );
}

/** Where a row says to which parent it belongs. */
function keyOf(scope: TableScope, navigation: Many["navigation"]) {
  if (navigation.kind === "collection") {
    const column = { logicalName: navigation.reference.column };
    return { key: columnOf(column, scope.name), join: sql("") };
  }
  const { own, other } = linkColumns(navigation.side);
  const id = columnOf({ logicalName: scope.table.primaryId }, scope.name);
  const join = sql(`join row_link on row_link.relationship = ? and row_link.${other} = ${id}`, [
    navigation.relationship,
  ]);
  return { key: `row_link.${own}`, join };
}
