import type { Context } from "../context.ts";
import type { Table } from "../definitions/table.ts";
import { answered, answeredEmpty, readerFor, writing } from "../protocol/request.ts";
import type { Answer, Request } from "../protocol/request.ts";
import { badArgument, badBody, noMethod, shown } from "../protocol/refusals.ts";
import { isBody, type Body } from "../rows/body.ts";
import { isUnchanged, preconditionOf } from "../rows/conditions.ts";
import { etagOf, idOf, requireRow, type RowKey } from "../rows/find.ts";
import { announceRead } from "../events/announce-read.ts";
import { deleteRow } from "../rows/remove.ts";
import { upsertRow } from "../rows/upsert.ts";
import type { Row } from "../storage/sql.ts";
import { presented } from "./presented.ts";

/** A table, and how the URL names one of its rows. */
export interface Target {
  readonly table: Table;
  readonly key: RowKey;
  /** What is between the parentheses, as it was sent. */
  readonly args: string;
}

/** `set(key)`: one row. */
export function answerEntity(context: Context, request: Request, target: Target): Promise<Answer> {
  switch (request.method) {
    case "GET":
      return retrieve(context, request, target);
    case "PATCH":
      return patch(context, request, target);
    case "DELETE":
      return remove(context, request, target);
    default:
      throw noMethod(request.method, "a record");
  }
}

async function retrieve(context: Context, request: Request, target: Target): Promise<Answer> {
  const { table, key } = target;
  context.access.require(request.actor.caller, "read", table.logicalName);
  const row = await requireRow(readerFor(context, request), table, key);
  const isPlain = !request.query.has("$expand") && request.preferences.annotations.length === 0;
  if (isPlain && isUnchanged(row, request.ifNoneMatch)) {
    return { status: 304, headers: { etag: etagOf(row) } };
  }
  await announceRead(context, request, { message: "Retrieve", table, rowId: idOf(table, row) });
  return answered(200, await presented(context, request, table, row), { etag: etagOf(row) });
}

async function patch(context: Context, request: Request, target: Target): Promise<Answer> {
  const { table, key } = target;
  const body = requireBody(request);
  const precondition = preconditionOf(request);
  const { row, isCreated } = await writing(context, request, (work) =>
    upsertRow(work, table, { key, body, precondition }),
  );
  const headers = entityHeaders(request, target, row);
  if (!request.preferences.returnRepresentation) return answeredEmpty(headers);
  const shownRow = await presented(context, request, table, row);
  return answered(isCreated ? 201 : 200, shownRow, headers);
}

async function remove(context: Context, request: Request, target: Target): Promise<Answer> {
  const { table, key } = target;
  const precondition = preconditionOf(request);
  await writing(context, request, (work) => deleteRow(work, table, { key, precondition }));
  return answeredEmpty();
}

/** The address of a row: under the alternate key where the request used it. */
function entityHeaders(
  request: Request,
  { table, key, args }: Target,
  row: Row,
): Record<string, string> {
  const name = key.kind === "id" ? idOf(table, row) : args;
  return { "odata-entityid": `${request.base}/${table.entitySetName}(${name})`, etag: etagOf(row) };
}

export function requireBody({ body }: Request): Body {
  if (isBody(body)) return body;
  throw badBody(
    body === undefined ? "The request has no body." : `The body ${shown(body)} is not an object.`,
  );
}

/** Refuses query options where they mean nothing. */
export function requireNoOptions({ query }: Request, allowed: readonly string[]): void {
  for (const name of query.keys()) {
    if (name.startsWith("@") || name === "$format" || allowed.includes(name)) continue;
    throw badArgument(`The query option ${name} is not supported here.`);
  }
}
