import type { Context } from "../context.ts";
import { propertyName } from "../definitions/table.ts";
import type { Segment } from "../protocol/path.ts";
import { answered, answeredEmpty, readerFor, writing } from "../protocol/request.ts";
import type { Answer, Request } from "../protocol/request.ts";
import { badBody, noMethod, noSegment } from "../protocol/refusals.ts";
import { preconditionOf } from "../rows/conditions.ts";
import { idOf, requireRow } from "../rows/find.ts";
import { presentCell } from "../rows/present.ts";
import { updateRow } from "../rows/update.ts";
import { requireProperty } from "../protocol/select.ts";
import { requireBody, type Target } from "./entity.ts";

interface PropertyPath {
  readonly name: string;
  readonly rest: readonly Segment[];
}

/** `set(key)/column`: one value of a row, read, replaced or emptied. */
export async function answerProperty(
  context: Context,
  request: Request,
  target: Target,
  { name, rest }: PropertyPath,
): Promise<Answer> {
  const isRaw = rest.length > 0;
  const unknown = rest.slice(1).concat(rest.filter((one) => one.name !== "$value"))[0];
  if (unknown !== undefined) throw noSegment(unknown.name);
  if (request.method === "GET") return read(context, request, target, { name, isRaw });
  if (isRaw) throw noMethod(request.method, "$value");
  if (request.method === "DELETE") return write(context, request, target, { [name]: null });
  if (request.method !== "PUT") throw noMethod(request.method, "a column");
  const body = requireBody(request);
  if (!("value" in body)) throw badBody('The body has no "value".');
  return write(context, request, target, { [name]: body["value"] });
}

async function read(
  context: Context,
  request: Request,
  { table, key }: Target,
  { name, isRaw }: { readonly name: string; readonly isRaw: boolean },
): Promise<Answer> {
  context.access.require(request.actor.caller, "read", table.logicalName);
  const column = requireProperty(table, name);
  const row = await requireRow(readerFor(context, request), table, key);
  const value = presentCell(column, row[column.logicalName] ?? null);
  if (value === null) return answeredEmpty();
  if (isRaw) return answered(200, `${value}`);
  const path = `${table.entitySetName}(${idOf(table, row)})/${propertyName(column)}`;
  return answered(200, { "@odata.context": `${request.base}/$metadata#${path}`, value });
}

async function write(
  context: Context,
  request: Request,
  { table, key }: Target,
  body: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const precondition = preconditionOf(request);
  await writing(context, request, (work) => updateRow(work, table, { key, body, precondition }));
  return answeredEmpty();
}
