import type { Context } from "../context.ts";
import type { Table } from "../definitions/table.ts";
import { answered, answeredEmpty, writing } from "../protocol/request.ts";
import type { Answer, Request } from "../protocol/request.ts";
import { noMethod } from "../protocol/refusals.ts";
import { announceRead } from "../events/announce-read.ts";
import { createRows } from "../rows/create.ts";
import { etagOf, idOf } from "../rows/find.ts";
import { requireBody } from "./entity.ts";
import { answerFetch } from "./fetch.ts";
import { answerTracked } from "./tracked.ts";
import { answerList } from "./list.ts";
import { presented } from "./presented.ts";

/** `set`: all rows of a table. */
export async function answerCollection(
  context: Context,
  request: Request,
  table: Table,
): Promise<Answer> {
  switch (request.method) {
    case "GET":
      await announceRead(context, request, { message: "RetrieveMultiple", table, rowId: "" });
      return list(context, request, table);
    case "POST":
      return create(context, request, table);
    default:
      throw noMethod(request.method, "a collection");
  }
}

function list(context: Context, request: Request, table: Table): Promise<Answer> {
  const { query, preferences } = request;
  if (query.has("fetchXml")) return answerFetch(context, request, table);
  const isTracked = preferences.trackChanges || query.has("$deltatoken");
  return isTracked ? answerTracked(context, request, table) : answerList(context, request, table);
}

async function create(context: Context, request: Request, table: Table): Promise<Answer> {
  const body = requireBody(request);
  const [row] = await writing(context, request, (work) => createRows(work, table, [body]));
  if (row === undefined) throw new Error("A row was created and is not there.");
  const url = `${request.base}/${table.entitySetName}(${idOf(table, row)})`;
  const headers = { "odata-entityid": url, location: url, etag: etagOf(row) };
  if (!request.preferences.returnRepresentation) return answeredEmpty(headers);
  return answered(201, await presented(context, request, table, row), headers);
}
