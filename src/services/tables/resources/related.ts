import type { Context } from "../context.ts";
import type { CollectionNavigation, LinkNavigation, Navigation } from "../definitions/table.ts";
import type { Table } from "../definitions/table.ts";
import type { Segment } from "../protocol/path.ts";
import { answered, answeredEmpty, readerFor, writing } from "../protocol/request.ts";
import type { Answer, Request } from "../protocol/request.ts";
import { noMethod, noSegment, notImplemented } from "../protocol/refusals.ts";
import { createRows } from "../rows/create.ts";
import { etagOf, idOf, requireRow } from "../rows/find.ts";
import { targetOf } from "../rows/present.ts";
import { requireBody, type Target } from "./entity.ts";
import { answerCount, answerList } from "./list.ts";
import { presented } from "./presented.ts";
import { answerProperty } from "./property.ts";
import { answerCollectionReference, answerSingleReference } from "./reference.ts";

/** `set(key)/…`: a column of a row, or rows that it is connected with. */
export function answerRelated(
  context: Context,
  request: Request,
  target: Target,
  [next, ...rest]: readonly [Segment, ...Segment[]],
): Promise<Answer> {
  const { table } = target;
  const isColumn = next.args === undefined && table.property(next.name) !== undefined;
  if (isColumn) {
    return answerProperty(context, request, target, { name: next.name, rest });
  }
  const navigation = table.navigation(next.name);
  if (navigation === undefined) throw noSegment(next.name);
  const [last, ...more] = rest;
  if (more.length > 0) throw notImplemented("A path through several rows");
  const path = { navigation, args: next.args };
  if (last === undefined) return answerNavigation(context, request, target, path);
  if (last.name === "$ref") return answerReference(context, request, target, path);
  if (last.name === "$count" && navigation.kind !== "single") {
    return countRelated(context, request, target, navigation);
  }
  throw noSegment(last.name);
}

interface NavigationPath {
  readonly navigation: Navigation;
  readonly args: string | undefined;
}

function answerReference(
  context: Context,
  request: Request,
  target: Target,
  { navigation, args }: NavigationPath,
): Promise<Answer> {
  return navigation.kind === "single"
    ? answerSingleReference(context, request, target, navigation)
    : answerCollectionReference(context, request, target, { navigation, args });
}

async function answerNavigation(
  context: Context,
  request: Request,
  target: Target,
  { navigation }: NavigationPath,
): Promise<Answer> {
  if (navigation.kind !== "single") {
    return answerChildren(context, request, target, navigation);
  }
  if (request.method !== "GET") throw noMethod(request.method, navigation.name);
  const reader = readerFor(context, request);
  context.access.require(request.actor.caller, "read", target.table.logicalName);
  const row = await requireRow(reader, target.table, target.key);
  const id = row[navigation.column.logicalName];
  const other = context.catalog.table(targetOf(navigation.column, row) ?? "");
  const isThere = typeof id === "string" && other !== undefined;
  if (!isThere || !navigation.targets.includes(other.logicalName)) return answeredEmpty();
  context.access.require(request.actor.caller, "read", other.logicalName);
  const found = await requireRow(reader, other, { kind: "id", id });
  return answered(200, await presented(context, request, other, found), { etag: etagOf(found) });
}

type Many = CollectionNavigation | LinkNavigation;

async function answerChildren(
  context: Context,
  request: Request,
  target: Target,
  navigation: Many,
): Promise<Answer> {
  const other = requireTable(context, navigation);
  if (request.method === "POST") return createChild(context, request, target, navigation);
  if (request.method !== "GET") throw noMethod(request.method, navigation.name);
  const parent = await parentId(context, request, target);
  const path = `${target.table.entitySetName}(${parent})/${navigation.name}`;
  const owner = { navigation, id: parent };
  return answerList(context, request, other, { path, owner });
}

async function countRelated(
  context: Context,
  request: Request,
  target: Target,
  navigation: Many,
): Promise<Answer> {
  if (request.method !== "GET") throw noMethod(request.method, "$count");
  const other = requireTable(context, navigation);
  const parent = await parentId(context, request, target);
  const owner = { navigation, id: parent };
  return answerCount(context, request, other, { path: "", owner });
}

async function parentId(context: Context, request: Request, target: Target): Promise<string> {
  context.access.require(request.actor.caller, "read", target.table.logicalName);
  const row = await requireRow(readerFor(context, request), target.table, target.key);
  return idOf(target.table, row);
}

async function createChild(
  context: Context,
  request: Request,
  { table, key }: Target,
  navigation: Many,
): Promise<Answer> {
  const other = requireTable(context, navigation);
  if (navigation.kind === "link") throw notImplemented("Creating a row through a link");
  const body = requireBody(request);
  const [row] = await writing(context, request, async (work) => {
    const parent = idOf(table, await requireRow(work.writer, table, key));
    const bind = {
      [`${navigation.reference.column}@odata.bind`]: `/${table.entitySetName}(${parent})`,
    };
    return createRows(work, other, [{ ...body, ...bind }]);
  });
  if (row === undefined) throw new Error("A row was created and is not there.");
  const url = `${request.base}/${other.entitySetName}(${idOf(other, row)})`;
  return answeredEmpty({ "odata-entityid": url, location: url, etag: etagOf(row) });
}

function requireTable({ catalog }: Context, { target }: Many): Table {
  const table = catalog.table(target);
  if (table === undefined) throw noSegment(target);
  return table;
}
