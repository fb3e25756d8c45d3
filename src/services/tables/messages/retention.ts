import type { Context } from "../context.ts";
import type { Table } from "../definitions/table.ts";
import { parseFetch } from "../fetch/parse-fetch.ts";
import { runFetch } from "../fetch/run-fetch.ts";
import { guidOf } from "../protocol/path.ts";
import { PAGE_SIZE_MAX } from "../protocol/prefer.ts";
import { badArgument, noMethod, shown } from "../protocol/refusals.ts";
import {
  answered,
  answeredEmpty,
  writing,
  type Answer,
  type Request,
} from "../protocol/request.ts";
import { Problem } from "#platform/problem.ts";
import { idOf } from "../rows/find.ts";
import {
  purgeRetained,
  requireRetention,
  retainRow,
  rollBackRetained,
} from "../retention/retain.ts";
import { restoreRow } from "../retention/restore.ts";
import { integerParameter, textParameter, type Parameters } from "./parameters.ts";
import { entityParameter } from "./targets.ts";

export type AnswerMessage = (
  context: Context,
  request: Request,
  parameters: Parameters,
) => Promise<Answer>;

/** The messages of long-term retention and of the recycle bin, by name. */
export const RETENTION_MESSAGES: ReadonlyMap<string, AnswerMessage> = new Map([
  ["BulkRetain", action(bulkRetain)],
  ["PurgeRetainedContent", action(purge)],
  ["Restore", action(restore)],
  ["Retain", action(retain)],
  ["RollbackRetain", action(rollBack)],
  ["ValidateRetentionConfig", action(validate)],
]);

/** They change rows, so they are only asked with POST. */
function action(answer: AnswerMessage): AnswerMessage {
  return (context, request, parameters) => {
    if (request.method !== "POST") throw noMethod(request.method, "an action");
    return answer(context, request, parameters);
  };
}

async function retain(context: Context, request: Request, parameters: Parameters) {
  const { table, key } = entityParameter(context.catalog, "Target", parameters["Target"]);
  const operation = operationOf(context, parameters);
  await writing(context, request, (work) => retainRow(work, table, { key, operation }));
  return answeredEmpty();
}

async function rollBack(context: Context, request: Request, parameters: Parameters) {
  const { table, key } = entityParameter(context.catalog, "Target", parameters["Target"]);
  await writing(context, request, (work) => rollBackRetained(work, table, key));
  return answeredEmpty();
}

async function restore(context: Context, request: Request, parameters: Parameters) {
  const { table, key } = entityParameter(context.catalog, "Target", parameters["Target"]);
  await writing(context, request, (work) => restoreRow(work, table, key));
  return answeredEmpty();
}

/** A page of the rows that the query describes; what is left is for the next call. */
async function bulkRetain(context: Context, request: Request, parameters: Parameters) {
  const xml = textParameter(parameters, "FetchXml");
  const size = pageSizeOf(parameters);
  const operation = operationOf(context, parameters);
  const hasMore = await writing(context, request, async (work) => {
    const fetch = parseFetch(context.catalog, context.dialect, xml);
    requireNamed(parameters, fetch.table);
    const page = await runFetch(work.writer, { ...fetch, place: "live", page: 1, size });
    for (const row of page.rows) {
      const key = { kind: "id", id: idOf(fetch.table, row) } as const;
      await retainRow(work, fetch.table, { key, operation });
    }
    const content = { OperationId: operation, Count: page.rows.length };
    work.events.push({ message: "BulkRetain", table: fetch.table, rowId: "", content });
    return page.hasMore;
  });
  // What was put away is no longer there, so the next page begins at the front again.
  return responded(request, "BulkRetain", { HasMoreRecords: hasMore, PagingCookie: null });
}

async function purge(context: Context, request: Request, parameters: Parameters) {
  const versionMax = integerParameter(parameters, "MaxVersionToPurge");
  const pageSize = pageSizeOf(parameters);
  const tables = tablesToPurge(context, parameters);
  const purged = await writing(context, request, async (work) => {
    const counts: (readonly [string, number, boolean])[] = [];
    for (const table of tables) {
      const { count, hasMore } = await purgeRetained(work, table, { versionMax, pageSize });
      counts.push([table.logicalName, count, hasMore]);
    }
    return counts;
  });
  return responded(request, "PurgeRetainedContent", {
    EntityCountCollection: {
      Count: purged.length,
      Keys: purged.map(([name]) => name),
      Values: purged.map(([, count]) => count),
    },
    HasMoreRecords: purged.some(([, , hasMore]) => hasMore),
  });
}

/** Whether a policy with this query could be carried out; what is wrong is the answer. */
async function validate(context: Context, request: Request, parameters: Parameters) {
  const xml = textParameter(parameters, "FetchXml");
  try {
    const fetch = parseFetch(context.catalog, context.dialect, xml);
    context.access.require(request.actor.caller, "retain", fetch.table.logicalName);
    requireRetention(fetch.table);
    requireNamed(parameters, fetch.table);
    const outcome = { IsValidationSuccessful: true, ErrorMessage: "" };
    return responded(request, "ValidateRetentionConfig", outcome);
  } catch (error) {
    if (!(error instanceof Problem) || error.statusCode === 403) throw error;
    const outcome = { IsValidationSuccessful: false, ErrorMessage: error.message };
    return responded(request, "ValidateRetentionConfig", outcome);
  }
}

function responded({ base }: Request, message: string, result: object): Answer {
  const type = `Microsoft.Dynamics.CRM.${message}Response`;
  return answered(200, { "@odata.context": `${base}/$metadata#${type}`, ...result });
}

function tablesToPurge({ catalog }: Context, parameters: Parameters): readonly Table[] {
  const name = parameters["EntityName"];
  if (name === undefined || name === null) {
    return catalog.tables().filter(({ definition }) => definition.messages.includes("Retain"));
  }
  const table = typeof name === "string" ? catalog.table(name) : undefined;
  if (table === undefined) throw badArgument(`There is no table ${shown(name)} (EntityName).`);
  return [table];
}

function requireNamed({ EntityName: name }: Parameters, { logicalName }: Table): void {
  if (name === undefined || name === null || name === logicalName) return;
  throw badArgument(`EntityName is ${shown(name)}, and the query is about ${logicalName}.`);
}

function operationOf({ environment }: Context, { OperationId: id }: Parameters): string {
  if (id === undefined || id === null) return environment.newId();
  const guid = typeof id === "string" ? guidOf(id) : undefined;
  if (guid === undefined) throw badArgument(`The OperationId ${shown(id)} is not a GUID.`);
  return guid;
}

function pageSizeOf({ PageSize: size = PAGE_SIZE_MAX }: Parameters): number {
  if (size === null) return PAGE_SIZE_MAX;
  const isWhole = typeof size === "number" && Number.isInteger(size);
  if (isWhole && size >= 1 && size <= PAGE_SIZE_MAX) return size;
  throw badArgument(`The PageSize ${shown(size)} is not between 1 and ${PAGE_SIZE_MAX}.`);
}
