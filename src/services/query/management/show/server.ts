import { availableParallelism, totalmem, freemem } from "node:os";
import { show, type CommandCall, type Commands } from "../command.ts";
import { columnsOf, type CommandResult } from "../result.ts";

const VERSION = columnsOf(
  "BuildVersion, BuildTime:datetime, ServiceType, ProductVersion, ServiceOffering",
);
const CLUSTER = columnsOf(
  "NodeId, Address, Name, StartTime:datetime, IsAdmin:bool, MachineTotalMemory:long, " +
    "MachineAvailableMemory:long, ProcessorCount:int, EnvironmentDescription",
);
const CAPACITY = columnsOf("Resource, Total:long, Consumed:long, Remaining:long");
const DIAGNOSTICS = columnsOf(
  "IsHealthy:bool, EnvironmentDescription, IsScaleOutRequired:bool, MachinesTotal:int, " +
    "MachinesOffline:int, NodeLastRestartedOn:datetime, BuildVersion, ProductVersion, " +
    "NumberOfDatabases:int, IngestionsInProgress:long, NotHealthyReason",
);
const MONITOR_CLUSTER = { action: "monitor", at: "cluster" } as const;

/** What of the service does not exist here, so that its lists are empty. */
const NOTHING: Readonly<Record<string, string>> = {
  ShowMaterializedViews:
    "Name, SourceTable, Query, MaterializedTo:datetime, LastRun:datetime, LastRunResult, " +
    "IsHealthy:bool, IsEnabled:bool, Folder, DocString, AutoUpdateSchema:bool, " +
    "EffectiveDateTime:datetime, Lookback:timespan, LookbackColumn",
  ShowExternalTables:
    "TableName, TableType, Folder, DocString, Properties, ConnectionStrings:dynamic, " +
    "Partitions:dynamic, PathFormat",
  ShowContinuousExports: "Name, ExternalTableName, Query",
  ShowEntityGroups: "Name, Entities",
  StoredQueryResultsShow:
    "StoredQueryResultId:guid, Name, DatabaseName, PrincipalIdentity, SizeInBytes:long, " +
    "RowCount:long, CreatedOn:datetime, ExpiresOn:datetime",
  ShowWorkloadGroups: "WorkloadGroupName, WorkloadGroup",
};

export const showServer: Commands = {
  ShowVersion: show("own", showVersion),
  ShowCluster: show(MONITOR_CLUSTER, showCluster),
  ShowCapacity: show(MONITOR_CLUSTER, showCapacity),
  ShowDiagnostics: show(MONITOR_CLUSTER, showDiagnostics),
  ...Object.fromEntries(
    Object.entries(NOTHING).map(([kind, columns]) => {
      const result = { columns: columnsOf(columns), rows: [] };
      return [kind, show({ action: "readSchema", at: "database" }, () => result)];
    }),
  ),
};

function showVersion({ context }: CommandCall): CommandResult {
  const { version, startedOn } = context;
  const rows = [[version, startedOn, "Engine", version, JSON.stringify({ Type: "Atoll" })]];
  return { columns: VERSION, rows };
}

function showCluster({ context }: CommandCall): CommandResult {
  const { addresses, startedOn } = context;
  const memory = [totalmem(), freemem()];
  const processors = availableParallelism();
  const node = ["atoll", addresses.cluster(), "atoll", startedOn, true, ...memory, processors, ""];
  return { columns: CLUSTER, rows: [node] };
}

/** Queries that run at once, those that run now, and those that still may. */
function showCapacity({ context }: CommandCall): CommandResult {
  const { queriesMax } = context.limits;
  const { running } = context.catalog.sql.load("query");
  const rows = [["Queries", queriesMax, running, queriesMax - running]];
  return { columns: CAPACITY, rows };
}

function showDiagnostics({ context }: CommandCall): CommandResult {
  const { version, startedOn, catalog } = context;
  const databases = catalog.schema().databases.length;
  const rows = [[true, "", false, 1, 0, startedOn, version, version, databases, 0, ""]];
  return { columns: DIAGNOSTICS, rows };
}
