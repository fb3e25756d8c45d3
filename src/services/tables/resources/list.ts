import type { Context } from "../context.ts";
import type { Table } from "../definitions/table.ts";
import { PAGE_SIZE_MAX } from "../protocol/prefer.ts";
import { answered, readerFor, type Answer, type Request } from "../protocol/request.ts";
import { badQuery, notImplemented } from "../protocol/refusals.ts";
import { parseSelect } from "../protocol/select.ts";
import { after, parseOrder, type OrderTerm } from "../queries/order.ts";
import { countRows, readRows, type RowsQuery } from "../queries/rows.ts";
import { readToken, writeToken } from "../queries/token.ts";
import { namesOf } from "../rows/names.ts";
import { presentRow } from "../rows/present.ts";
import type { Reader, Row, Sql } from "../storage/sql.ts";
import { contextUrl } from "./presented.ts";

/** The rows of a table that belong to a row of another. */
export interface Within {
  /** What URLs of the list have after the base. */
  readonly path: string;
  readonly conditions: readonly Sql[];
}

/** `GET set`: a page of the rows that the query describes. */
export async function answerList(
  context: Context,
  request: Request,
  table: Table,
  within?: Within,
): Promise<Answer> {
  const { query, base, actor } = request;
  context.access.require(actor.caller, "read", table.logicalName);
  const reader = readerFor(context, request);
  const plan = planOf(request, table, { reader, within });
  const read = await readRows(reader, plan.rows);
  const rows = read.slice(0, plan.size);
  const last = read.length > rows.length ? rows.at(-1) : undefined;
  const path = within?.path ?? table.entitySetName;
  const { order } = plan.rows;
  return answered(200, {
    "@odata.context": contextUrl(base, table, { select: query.get("$select"), isSingle: false }),
    ...(isTrue(request, "$count") && {
      "@odata.count": await countRows(reader, table, plan.conditions),
    }),
    value: await presentAll(context, request, plan.rows, rows),
    ...(last && { "@odata.nextLink": nextLink(request, path, { order, last, page: plan.page }) }),
  });
}

interface Plan {
  readonly rows: RowsQuery;
  /** What holds for the rows of all pages. */
  readonly conditions: readonly Sql[];
  /** Rows of this page; one more is read to see whether there is another page. */
  readonly size: number;
  readonly page: number;
}

function planOf(
  request: Request,
  table: Table,
  { reader, within }: { readonly reader: Reader; readonly within: Within | undefined },
): Plan {
  const { query } = request;
  const conditions = [...(within?.conditions ?? []), ...conditionsOf(query)];
  const order = parseOrder(table, query.get("$orderby"));
  const skip = query.get("$skiptoken");
  const token = skip === undefined ? undefined : readToken(skip, order.length);
  const paged = token === undefined ? [] : [after(order, token.cells, reader.dialect)];
  const { rows: size, isLast } = pageSizeOf(request);
  return {
    rows: {
      table,
      select: parseSelect(table, query.get("$select")),
      conditions: [...conditions, ...paged],
      order,
      limit: isLast ? size : size + 1,
    },
    conditions,
    size,
    page: token?.page ?? 1,
  };
}

async function presentAll(
  { catalog, reader: committed }: Context,
  { preferences, work }: Request,
  { table, select }: RowsQuery,
  rows: readonly Row[],
): Promise<readonly object[]> {
  const reader = work?.writer ?? committed;
  const names = await namesOf({ catalog, reader, preferences }, table, { rows, select });
  return rows.map((row) => presentRow(table, row, { catalog, preferences, select, names }));
}

/** `GET set/$count`: the number of rows as text. */
export async function answerCount(
  context: Context,
  request: Request,
  table: Table,
  within?: Within,
): Promise<Answer> {
  context.access.require(request.actor.caller, "read", table.logicalName);
  const conditions = [...(within?.conditions ?? []), ...conditionsOf(request.query)];
  const count = await countRows(readerFor(context, request), table, conditions);
  return answered(200, String(count));
}

function conditionsOf(query: Request["query"]): readonly Sql[] {
  for (const name of ["$filter", "$expand", "$apply", "$search", "fetchXml"]) {
    if (query.has(name)) throw notImplemented(`The query option ${name}`);
  }
  return [];
}

function isTrue({ query }: Request, name: string): boolean {
  const value = query.get(name);
  if (value === undefined || value === "false") return false;
  if (value === "true") return true;
  throw badQuery(`The value '${value}' of ${name} is neither true nor false.`);
}

/** `$top` ends the list; a page size, which wins over it, only cuts it into pages. */
function pageSizeOf({ query, preferences }: Request) {
  const top = query.get("$top");
  if (top !== undefined && !/^\d{1,9}$/.test(top)) {
    throw badQuery(`The value '${top}' of $top is not a whole number of rows.`);
  }
  const { pageSize } = preferences;
  if (pageSize === undefined && top !== undefined) {
    return { rows: Math.min(Number(top), PAGE_SIZE_MAX), isLast: true };
  }
  return { rows: pageSize ?? PAGE_SIZE_MAX, isLast: false };
}

interface PageEnd {
  readonly order: readonly OrderTerm[];
  readonly last: Row;
  readonly page: number;
}

function nextLink({ base, query }: Request, path: string, end: PageEnd): string {
  const cells = end.order.map(({ column }) => end.last[column.logicalName] ?? null);
  const token = writeToken({ page: end.page + 1, cells });
  const options = [...query].filter(([name]) => name !== "$skiptoken");
  const parts = [...options, ["$skiptoken", token]].map(
    ([name = "", value = ""]) => `${encodeName(name)}=${encodeURIComponent(value)}`,
  );
  return `${base}/${path}?${parts.join("&")}`;
}

function encodeName(name: string): string {
  return encodeURIComponent(name).replace("%24", "$").replace("%40", "@");
}
