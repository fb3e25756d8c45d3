import type { Context } from "../context.ts";
import type { Table } from "../definitions/table.ts";
import type { Segment } from "../protocol/path.ts";
import { noMethod, noSegment } from "../protocol/refusals.ts";
import { answeredEmpty, type Answer, type Request } from "../protocol/request.ts";
import { requireBody } from "../resources/entity.ts";
import { entityId } from "./entity-definition.ts";
import { requireTable } from "./answer-metadata.ts";
import { readTable, removeTable, saveTable, withColumn, withKey, withLookup } from "./define.ts";
import { readAttribute } from "./read-attribute.ts";

/** Definitions are changed by whoever may customize: tables, columns, keys and lookups. */
export async function answerDefinitionChange(
  context: Context,
  request: Request,
  [first, ...rest]: readonly [Segment, ...Segment[]],
): Promise<Answer> {
  context.access.requireGeneral(request.actor.caller, "customize");
  const { method } = request;
  if (first.name === "RelationshipDefinitions") {
    if (method !== "POST" || rest.length > 0) throw noMethod(method, first.name);
    await saveTable(context, withLookup(context, requireBody(request)));
    return answeredEmpty();
  }
  if (first.args === undefined) return addTable(context, request, first);
  await changeTable(context, request, requireTable(context, first.args), rest[0]);
  return answeredEmpty();
}

async function addTable(context: Context, request: Request, { name }: Segment): Promise<Answer> {
  if (request.method !== "POST") throw noMethod(request.method, name);
  const definition = readTable(context, requireBody(request));
  await saveTable(context, definition);
  const url = `${request.base}/EntityDefinitions(${entityId(definition)})`;
  return answeredEmpty({ "odata-entityid": url });
}

async function changeTable(
  context: Context,
  request: Request,
  table: Table,
  part: Segment | undefined,
): Promise<void> {
  const { method } = request;
  if (part === undefined) {
    if (method !== "DELETE") throw noMethod(method, "a definition");
    await removeTable(context, table);
    return;
  }
  if (method !== "POST") throw noMethod(method, part.name);
  const body = requireBody(request);
  if (part.name === "Attributes") {
    await saveTable(context, withColumn(table, readAttribute(body)));
  } else if (part.name === "Keys") await saveTable(context, withKey(table, body));
  else throw noSegment(part.name);
}
