import type { Context } from "../context.ts";
import type { Table } from "../definitions/table.ts";
import { parseSelect } from "../protocol/select.ts";
import { readerFor, type Request } from "../protocol/request.ts";
import { namesOf } from "../rows/names.ts";
import { presentRow } from "../rows/present.ts";
import type { Row } from "../storage/sql.ts";

/** One row as a whole answer, with the columns and annotations that the request asks for. */
export async function presented(
  context: Context,
  request: Request,
  table: Table,
  row: Row,
): Promise<object> {
  const { preferences, query, base } = request;
  const select = parseSelect(table, query.get("$select"));
  const reader = readerFor(context, request);
  const { catalog } = context;
  const names = await namesOf({ catalog, reader, preferences }, table, { rows: [row], select });
  return {
    "@odata.context": contextUrl(base, table, { select: query.get("$select"), isSingle: true }),
    ...presentRow(table, row, { catalog, preferences, select, names }),
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
