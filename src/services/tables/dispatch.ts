import type { Context } from "./context.ts";
import type { Table } from "./definitions/table.ts";
import type { Segment } from "./protocol/path.ts";
import { answered, type Answer, type Request } from "./protocol/request.ts";
import { noMethod, noSegment } from "./protocol/refusals.ts";
import { answerCollection } from "./resources/collection.ts";
import { answerEntity, type Target } from "./resources/entity.ts";
import { parseKey } from "./rows/find.ts";

/** Answers a request by what its path names. */
export async function dispatch(context: Context, request: Request): Promise<Answer> {
  const [first, ...rest] = request.segments;
  if (first === undefined) return serviceDocument(context, request);
  const table = context.catalog.set(first.name);
  if (table !== undefined) return answerSet(context, request, { table, first, rest });
  if (first.name === "WhoAmI") return whoAmI(context, request);
  throw noSegment(first.name);
}

interface SetPath {
  readonly table: Table;
  readonly first: Segment;
  readonly rest: readonly Segment[];
}

async function answerSet(context: Context, request: Request, path: SetPath): Promise<Answer> {
  const { table, first, rest } = path;
  if (first.args === undefined && rest.length === 0) {
    return answerCollection(context, request, table);
  }
  const args = first.args ?? "";
  const target: Target = { table, key: parseKey(table, args), args };
  if (rest.length === 0) return answerEntity(context, request, target);
  throw noSegment(rest[0]?.name ?? "");
}

/** What there is, for clients that look around. */
function serviceDocument({ catalog }: Context, { method, base }: Request): Answer {
  if (method !== "GET") throw noMethod(method, "the service document");
  const value = catalog
    .tables()
    .map(({ entitySetName: name }) => ({ name, kind: "EntitySet", url: name }));
  return answered(200, { "@odata.context": `${base}/$metadata`, value });
}

function whoAmI({ organization }: Context, { method, base, actor }: Request): Answer {
  if (method !== "GET") throw noMethod(method, "WhoAmI");
  return answered(200, {
    "@odata.context": `${base}/$metadata#Microsoft.Dynamics.CRM.WhoAmIResponse`,
    BusinessUnitId: organization.businessUnitId,
    UserId: actor.userId,
    OrganizationId: organization.id,
  });
}
