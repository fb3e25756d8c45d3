import type { Context } from "../context.ts";
import type { Table } from "../definitions/table.ts";
import { listBody } from "../odata/list-body.ts";
import type { Asked } from "../odata/query.ts";
import { countRows } from "../odata/retrieve-multiple.ts";
import type { Owner } from "../odata/sql/collections.ts";
import { answered, readerFor, type Answer, type Request } from "../protocol/request.ts";
import { contextUrl } from "./presented.ts";

/** The rows of a table that belong to a row of another. */
export interface Within {
  /** What URLs of the list have after the base. */
  readonly path: string;
  readonly owner: Owner;
}

/** `GET set`: a page of the rows that the query describes. */
export async function answerList(
  context: Context,
  request: Request,
  table: Table,
  within?: Within,
): Promise<Answer> {
  const { query, base } = request;
  const path = within?.path ?? table.entitySetName;
  const owner = within === undefined ? {} : { owner: within.owner };
  const listing = { asked: askedBy(context, request), base, path, ...owner };
  return answered(200, {
    "@odata.context": contextUrl(base, table, { select: query.get("$select"), isSingle: false }),
    ...(await listBody(context, table, listing)),
  });
}

/** `GET set/$count`: the number of rows as text. */
export async function answerCount(
  context: Context,
  request: Request,
  table: Table,
  within?: Within,
): Promise<Answer> {
  const asked = askedBy(context, request);
  return answered(200, String(await countRows(context, table, asked, within?.owner)));
}

/** Who asks for what, as the query language wants to know it. */
function askedBy(context: Context, request: Request): Asked {
  const { actor, query, preferences } = request;
  return { actor, query, preferences, reader: readerFor(context, request) };
}
