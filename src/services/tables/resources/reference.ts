import type { Context } from "../context.ts";
import type {
  CollectionNavigation,
  LinkNavigation,
  SingleNavigation,
} from "../definitions/table.ts";
import { answered, answeredEmpty, readerFor, writing } from "../protocol/request.ts";
import type { Answer, Request } from "../protocol/request.ts";
import { badArgument, badBody, noMethod } from "../protocol/refusals.ts";
import type { Body } from "../rows/body.ts";
import { preconditionOf } from "../rows/conditions.ts";
import { connect, disconnect } from "../rows/connect.ts";
import { idOf, parseKey, requireRow } from "../rows/find.ts";
import { targetOf } from "../rows/present.ts";
import { resolveReference, type RowReference } from "../rows/references.ts";
import { updateRow } from "../rows/update.ts";
import type { Work } from "../rows/work.ts";
import { requireBody, type Target } from "./entity.ts";

/** `set(key)/nav/$ref`, where `nav` leads to one row at most. */
export async function answerSingleReference(
  context: Context,
  request: Request,
  target: Target,
  navigation: SingleNavigation,
): Promise<Answer> {
  const { method } = request;
  if (method === "GET") return readReference(context, request, target, navigation);
  const isSet = method === "PUT" || method === "POST";
  if (!isSet && method !== "DELETE") throw noMethod(method, "$ref");
  const url = isSet ? urlOf(requireBody(request)) : null;
  const body = { [`${navigation.name}@odata.bind`]: url };
  const { table, key } = target;
  const precondition = preconditionOf(request);
  await writing(context, request, async (work) => {
    const row = await updateRow(work, table, { key, body, precondition });
    work.events.push({
      message: isSet ? "Associate" : "Disassociate",
      table,
      rowId: idOf(table, row),
      content: { Relationship: navigation.name, RelatedId: isSet ? String(url) : null },
    });
  });
  return answeredEmpty();
}

async function readReference(
  context: Context,
  request: Request,
  { table, key }: Target,
  { column }: SingleNavigation,
): Promise<Answer> {
  context.access.require(request.actor.caller, "read", table.logicalName);
  const row = await requireRow(readerFor(context, request), table, key);
  const other = context.catalog.table(targetOf(column, row) ?? "");
  const id = row[column.logicalName];
  if (other === undefined || typeof id !== "string") return answeredEmpty();
  return answered(200, {
    "@odata.context": `${request.base}/$metadata#$ref`,
    "@odata.id": `${request.base}/${other.entitySetName}(${id})`,
  });
}

interface ManyPath {
  readonly navigation: CollectionNavigation | LinkNavigation;
  /** The key of the row to separate, where the path names it. */
  readonly args: string | undefined;
}

/** `set(key)/nav/$ref`, where `nav` leads to any number of rows. */
export async function answerCollectionReference(
  context: Context,
  request: Request,
  target: Target,
  { navigation, args }: ManyPath,
): Promise<Answer> {
  const { method } = request;
  if (method !== "POST" && method !== "DELETE") throw noMethod(method, "$ref");
  await writing(context, request, async (work) => {
    const { table, key } = target;
    const row = await requireRow(work.writer, table, key);
    const end = { parent: { table, id: idOf(table, row) }, navigation };
    if (method === "POST") {
      await connect(work, end, await resolveReference(work, urlOf(requireBody(request))));
    } else await disconnect(work, end, await separated(work, request, { navigation, args }));
  });
  return answeredEmpty();
}

/** The row to separate: named in the path, or by `$id`. */
async function separated(
  work: Work,
  request: Request,
  { navigation, args }: ManyPath,
): Promise<RowReference> {
  const url = request.query.get("$id");
  if (args === undefined) {
    if (url === undefined) throw badArgument("Which row to disassociate is said by $id.");
    return resolveReference(work, url);
  }
  const table = work.context.catalog.table(navigation.target);
  if (table === undefined) throw badArgument(`There is no table ${navigation.target}.`);
  const row = await requireRow(work.writer, table, parseKey(table, args));
  return { table, id: idOf(table, row) };
}

function urlOf(body: Body): string {
  const url = body["@odata.id"];
  if (typeof url === "string") return url;
  throw badBody('The body has no "@odata.id".');
}
