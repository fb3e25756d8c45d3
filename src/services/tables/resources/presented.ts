import type { Context } from "../context.ts";
import type { Table } from "../definitions/table.ts";
import { rowBody } from "../odata/list-body.ts";
import { readerFor, type Request } from "../protocol/request.ts";
import type { Row } from "../storage/sql.ts";

/** One row as a whole answer, with the columns and annotations that the request asks for. */
export async function presented(
  context: Context,
  request: Request,
  table: Table,
  row: Row,
): Promise<object> {
  const { actor, query, preferences, base } = request;
  const asked = { actor, query, preferences, reader: readerFor(context, request) };
  return {
    "@odata.context": contextUrl(base, table, { select: query.get("$select"), isSingle: true }),
    ...(await rowBody(context, table, row, { asked, base })),
  };
}

/** What an answer consists of, as a URL into the metadata. */
export function contextUrl(
  base: string,
  { entitySetName }: Table,
  { select, isSingle }: { readonly select: string | undefined; readonly isSingle: boolean },
): string {
  const columns = select === undefined || select.trim() === "" ? "" : `(${select})`;
  return `${base}/$metadata#${entitySetName}${columns}${isSingle ? "/$entity" : ""}`;
}
