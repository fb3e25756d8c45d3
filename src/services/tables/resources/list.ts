import type { Context } from "../context.ts";
import type { Table } from "../definitions/table.ts";
import { PAGE_SIZE_MAX } from "../protocol/prefer.ts";
import { answered, readerFor, type Answer, type Request } from "../protocol/request.ts";
import { badQuery, notImplemented } from "../protocol/refusals.ts";
import { parseSelect } from "../protocol/select.ts";
import { after, parseOrder, type OrderTerm } from "../queries/order.ts";
import { countRows, readRows } from "../queries/rows.ts";
import { readToken, writeToken } from "../queries/token.ts";
import { namesOf } from "../rows/names.ts";
import { presentRow } from "../rows/present.ts";
import type { Row, Sql } from "../storage/sql.ts";
import { contextUrl } from "./presented.ts";

/** `GET set`: a page of the rows that the query describes. */
export async function answerList(
  context: Context,
  request: Request,
  table: Table,
): Promise<Answer> {
  const { query, preferences, base, actor } = request;
  context.access.require(actor.caller, "read", table.logicalName);
  const conditions = conditionsOf(query);
  const select = parseSelect(table, query.get("$select"));
  const order = parseOrder(table, query.get("$orderby"));
  const skip = query.get("$skiptoken");
  const token = skip === undefined ? undefined : readToken(skip, order.length);
  const reader = readerFor(context, request);
  const size = pageSizeOf(request);
  const paged = token === undefined ? [] : [after(order, token.cells, reader.dialect)];
  const limit = size.isLast ? size.rows : size.rows + 1;
  const all = [...conditions, ...paged];
  const read = await readRows(reader, { table, select, conditions: all, order, limit });
  const rows = read.slice(0, size.rows);
  const { catalog } = context;
  const names = await namesOf({ catalog, reader, preferences }, table, { rows, select });
  const hasMore = read.length > rows.length;
  const last = rows.at(-1);
  return answered(200, {
    "@odata.context": contextUrl(base, table, { select: query.get("$select"), isSingle: false }),
    ...(isTrue(request, "$count") && {
      "@odata.count": await countRows(reader, table, conditions),
    }),
    value: rows.map((row) => presentRow(table, row, { catalog, preferences, select, names })),
    ...(hasMore &&
      last !== undefined && {
        "@odata.nextLink": nextLink(request, table, { order, last, page: token?.page ?? 1 }),
      }),
  });
}

/** `GET set/$count`: the number of rows as text. */
export async function answerCount(
  context: Context,
  request: Request,
  table: Table,
): Promise<Answer> {
  context.access.require(request.actor.caller, "read", table.logicalName);
  const conditions = conditionsOf(request.query);
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

function nextLink({ base, query }: Request, table: Table, end: PageEnd): string {
  const cells = end.order.map(({ column }) => end.last[column.logicalName] ?? null);
  const token = writeToken({ page: end.page + 1, cells });
  const options = [...query].filter(([name]) => name !== "$skiptoken");
  const parts = [...options, ["$skiptoken", token]].map(
    ([name = "", value = ""]) => `${encodeName(name)}=${encodeURIComponent(value)}`,
  );
  return `${base}/${table.entitySetName}?${parts.join("&")}`;
}

function encodeName(name: string): string {
  return encodeURIComponent(name).replace("%24", "$").replace("%40", "@");
}
