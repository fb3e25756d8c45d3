import type { RequestActivity } from "../../queries/activities.ts";
import { show, type CommandCall, type Commands } from "../command.ts";
import { columnsOf, type Cell, type CommandResult } from "../result.ts";

const SHARED_START =
  "Text, Database, StartedOn:datetime, LastUpdatedOn:datetime, Duration:timespan, State, " +
  "RootActivityId:guid, User, FailureReason, Application, Principal, TotalCpu:timespan, " +
  "MemoryPeak:long, ResultSetStatistics:dynamic, ClientRequestProperties:dynamic, WorkloadGroup";
const QUERIES = columnsOf(`ClientActivityId, ${SHARED_START}`);
const COMMANDS = columnsOf(`ClientActivityId, CommandType, ${SHARED_START}`);

/** Whoever may not watch others sees what is their own. */
export const showActivity: Commands = {
  ShowQueries: show("own", (call) => queries(visible(call, call.context.activities.list("query")))),
  ShowRunningQueries: show("own", ({ context, ...call }) => {
    const running = context.activities.running().filter(({ kind }) => kind === "query");
    return queries(visible({ context, ...call }, running));
  }),
  ShowCommands: show("own", (call) => {
    return commands(visible(call, call.context.activities.list("command")));
  }),
  ShowCommandsAndQueries: show("own", (call) => {
    const { activities } = call.context;
    const all = [...activities.list("command"), ...activities.list("query")];
    const inOrder = all.toSorted((a, b) => a.startedOn.getTime() - b.startedOn.getTime());
    return commands(visible(call, inOrder));
  }),
};

export function visible(
  { context, caller }: CommandCall,
  activities: readonly RequestActivity[],
): readonly RequestActivity[] {
  return activities.filter(
    ({ principal, database }) =>
      principal === caller.objectId || context.access.may(caller, "monitor", { database }),
  );
}

function queries(activities: readonly RequestActivity[]): CommandResult {
  const rows = activities.map((one) => [one.clientRequestId, ...shared(one)]);
  return { columns: QUERIES, rows };
}

function commands(activities: readonly RequestActivity[]): CommandResult {
  const rows = activities.map((one) => [one.clientRequestId, one.commandType, ...shared(one)]);
  return { columns: COMMANDS, rows };
}

function shared(one: RequestActivity): Cell[] {
  return [
    one.text,
    one.database,
    one.startedOn,
    one.updatedOn,
    one.updatedOn.getTime() - one.startedOn.getTime(),
    one.state,
    one.id,
    one.user === "" ? one.principal : one.user,
    one.failure,
    one.application,
    one.principal,
    null,
    null,
    { TableCount: 1, TablesStatistics: [{ RowCount: one.records, TableSize: one.bytes }] },
    {},
    "default",
  ];
}
