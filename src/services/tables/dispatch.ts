import type { Context } from "./context.ts";
import type { Table } from "./definitions/table.ts";
import type { Segment } from "./protocol/path.ts";
import { answered, writing, type Answer, type Request } from "./protocol/request.ts";
import { answerDefinitionChange } from "./metadata/answer-changes.ts";
import { answerDefinitions } from "./metadata/answer-metadata.ts";
import { writeEdmx } from "./metadata/edmx.ts";
import { answerBulk } from "./messages/bulk.ts";
import { answerMessageFilters } from "./messages/message-filters.ts";
import { parametersOf } from "./messages/parameters.ts";
import { RETENTION_MESSAGES, type AnswerMessage } from "./messages/retention.ts";
import { isValidStateTransition } from "./messages/state-transition.ts";
import { noMethod, noSegment } from "./protocol/refusals.ts";
import { answerCollection } from "./resources/collection.ts";
import { answerEntity, type Target } from "./resources/entity.ts";
import { answerCount } from "./resources/list.ts";
import { answerRelated } from "./resources/related.ts";
import { parseKey } from "./rows/find.ts";

/** Answers a request by what its path names. */
export async function dispatch(context: Context, request: Request): Promise<Answer> {
  const [first, ...rest] = request.segments;
  if (first === undefined) return serviceDocument(context, request);
  const table = context.catalog.set(first.name);
  if (table !== undefined) return answerSet(context, request, { table, first, rest });
  const resource = RESOURCES.get(first.name);
  if (resource !== undefined) return resource(context, request, [first, ...rest]);
  const message = first.name.replace(/^Microsoft\.Dynamics\.CRM\./, "");
  const answerMessage = rest.length === 0 ? UNBOUND.get(message) : undefined;
  if (answerMessage === undefined) throw noSegment(first.name);
  return answerMessage(context, request, parametersOf(request, first));
}

type AnswerResource = (
  context: Context,
  request: Request,
  path: readonly [Segment, ...Segment[]],
) => Answer | Promise<Answer>;

/** What is neither an entity set nor a message. */
const RESOURCES: ReadonlyMap<string, AnswerResource> = new Map<string, AnswerResource>([
  ["$metadata", answerMetadata],
  ["EntityDefinitions", answerDefinition],
  ["RelationshipDefinitions", answerDefinition],
  ["WhoAmI", whoAmI],
  ["sdkmessagefilters", answerMessageFilters],
]);

function answerDefinition(
  context: Context,
  request: Request,
  path: readonly [Segment, ...Segment[]],
): Answer | Promise<Answer> {
  return request.method === "GET"
    ? answerDefinitions(context, request, path)
    : answerDefinitionChange(context, request, path);
}

/** Messages that belong to no entity set. */
const UNBOUND: ReadonlyMap<string, AnswerMessage> = new Map([
  ["IsValidStateTransition", isValidStateTransition],
  ...RETENTION_MESSAGES,
]);

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
  const [next, ...more] = rest;
  if (first.args === undefined) {
    if (next?.name === "$count") return answerCount(context, request, table);
    return answerBulk(context, request, table, next?.name ?? "");
  }
  const target: Target = { table, key: parseKey(table, first.args), args: first.args };
  if (next === undefined) return answerEntity(context, request, target);
  return answerRelated(context, request, target, [next, ...more]);
}

/** What there is, for clients that look around. */
function serviceDocument({ catalog }: Context, { method, base }: Request): Answer {
  if (method !== "GET") throw noMethod(method, "the service document");
  const value = catalog
    .tables()
    .map(({ entitySetName: name }) => ({ name, kind: "EntitySet", url: name }));
  return answered(200, { "@odata.context": `${base}/$metadata`, value });
}

function answerMetadata({ catalog }: Context, { method }: Request): Answer {
  if (method !== "GET") throw noMethod(method, "$metadata");
  return answered(200, writeEdmx(catalog), { "content-type": "application/xml" });
}

async function whoAmI(context: Context, request: Request): Promise<Answer> {
  const { organization, users } = context;
  const { method, base, actor } = request;
  if (method !== "GET") throw noMethod(method, "WhoAmI");
  // Clients go on to read the row of who they are, so it has to be there.
  if (!users.has(actor.userId)) await writing(context, request, async () => {});
  return answered(200, {
    "@odata.context": `${base}/$metadata#Microsoft.Dynamics.CRM.WhoAmIResponse`,
    BusinessUnitId: organization.businessUnitId,
    UserId: actor.userId,
    OrganizationId: organization.id,
  });
}
