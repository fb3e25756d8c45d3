import { KqlError } from "#engines/kql/kql-error.ts";
import { Problem } from "#platform/problem.ts";
import type { OperationRow } from "../store.ts";
import { change, show, type CommandCall, type Commands } from "./command.ts";
import { argument, argumentsNamed } from "./parsed-command.ts";
import { columnsOf, type Cell, type CommandResult } from "./result.ts";
import { visible } from "./show/activity.ts";

const OPERATIONS = columnsOf(
  "OperationId:guid, Operation, NodeId, StartedOn:datetime, LastUpdatedOn:datetime, " +
    "Duration:timespan, State, Status, RootActivityId:guid, ShouldRetry:bool, Database, " +
    "Principal, User, AdminEpochStartTime:datetime, VirtualCluster",
);
const STARTED = columnsOf("OperationId:guid");
const CANCELLED = columnsOf("ClientRequestId, Query, Cancelled:bool");
const CANCELLED_OPERATION = columnsOf("OperationId:guid, State");

/** Commands about commands and queries that are under way or have ended. */
export const operationCommands: Commands = {
  ShowOperations: show("own", showOperations),
  ShowOperation: show("own", showOperations),
  ShowOperationDetails: show("own", showDetails),
  CancelQuery: change("own", cancelQuery),
  CancelOperation: change("own", cancelOperation),
};

function mayWatch({ context, caller }: CommandCall, { databaseName, principal }: OperationRow) {
  const place = { database: databaseName };
  return principal === caller.objectId || context.access.may(caller, "monitor", place);
}

async function showOperations(call: CommandCall): Promise<CommandResult> {
  const ids = argumentsNamed(call.command, "OperationId").map((id) => id.toLowerCase());
  const all = await call.context.operations.list();
  const chosen = all.filter((one) => ids.length === 0 || ids.includes(one.id));
  return { columns: OPERATIONS, rows: chosen.filter((one) => mayWatch(call, one)).map(row) };
}

function row(one: OperationRow): Cell[] {
  const [startedOn, updatedOn] = [new Date(one.startedOn), new Date(one.updatedOn)];
  return [
    one.id,
    one.operation,
    "",
    startedOn,
    updatedOn,
    updatedOn.getTime() - startedOn.getTime(),
    one.state,
    one.status,
    one.id,
    false,
    one.databaseName,
    one.principal,
    one.user,
    null,
    "",
  ];
}

/** What the command would have answered, had its client waited. */
async function showDetails(call: CommandCall): Promise<CommandResult> {
  const id = argument(call.command, "OperationId").toLowerCase();
  const found = await call.context.operations.find(id);
  if (found === undefined || !mayWatch(call, found)) throw noOperation(id);
  if (found.state !== "Completed") {
    throw new KqlError("semantic", `The operation ${id} has no result: it is ${found.state}.`);
  }
  // Written by `startOperation`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(found.result) as CommandResult;
}

function noOperation(id: string): Problem {
  return new Problem(400, "BadRequest_EntityNotFound", `There is no operation ${id}.`);
}

/** Starts the work of an `async` command, and answers with the id of its operation. */
export async function startOperation(
  { context, command, caller, request, database }: CommandCall,
  work: (signal: AbortSignal) => Promise<CommandResult>,
): Promise<CommandResult> {
  const start = {
    operation: command.kind,
    clientRequestId: request.clientRequestId,
    databaseName: database.name,
    principal: caller.objectId,
    user: request.user,
  };
  const { id } = await context.operations.start(start, async (signal) => {
    const { columns, rows } = await work(signal);
    return JSON.stringify({ columns, rows }, (_name, value: unknown) =>
      typeof value === "bigint" ? Number(value) : value,
    );
  });
  return { columns: STARTED, rows: [[id]] };
}

function cancelQuery(call: CommandCall): CommandResult {
  const { context, command, caller } = call;
  const id = argument(command, "ClientRequestId");
  const reason = new Problem(400, "QueryCancelled", "The query was cancelled by a command.");
  const seen = new Set(visible(call, context.activities.running()));
  const cancelled = context.activities.cancel((activity) => {
    if (activity.clientRequestId !== id || activity.kind !== "query") return false;
    const { principal, database } = activity;
    if (principal === caller.objectId) return true;
    return seen.has(activity) && context.access.may(caller, "cancel", { database });
  }, reason);
  if (cancelled.length > 0) {
    return { columns: CANCELLED, rows: cancelled.map(({ text }) => [id, text, true]) };
  }
  throw new KqlError("semantic", `No query with the client request id '${id}' is running.`);
}

async function cancelOperation(call: CommandCall): Promise<CommandResult> {
  const { context, command, caller } = call;
  const id = argument(command, "OperationId").toLowerCase();
  const found = await context.operations.find(id);
  if (found === undefined || !mayWatch(call, found)) throw noOperation(id);
  if (found.principal !== caller.objectId) {
    context.access.require(caller, "cancel", { database: found.databaseName });
  }
  const reason = new Error("The operation was cancelled by a command.");
  if (!context.operations.cancel(id, reason)) {
    throw new KqlError("semantic", `The operation ${id} does not run any more.`);
  }
  return { columns: CANCELLED_OPERATION, rows: [[id, "Canceled"]] };
}
