import { createDatabase, dropDatabase, setPrettyName } from "../catalog/databases.ts";
import { change, MANAGE_DATABASE } from "./command.ts";
import type { CommandCall, Commands } from "./command.ts";
import { argument } from "./parsed-command.ts";
import { columnsOf, type CommandResult } from "./result.ts";

const CREATED = columnsOf(
  "DatabaseName, PersistentPath, Created, StoresMetadata:bool, StoresData:bool",
);
const DROPPED = columnsOf("Table, NumberOfRemovedExtents");
const NAMED = columnsOf("DatabaseName, PrettyName");
const MANAGE_CLUSTER = { action: "manageCluster", at: "cluster" } as const;

/** Commands that make and remove databases. */
export const databaseCommands: Commands = {
  CreateDatabase: change(MANAGE_CLUSTER, create),
  DetachDatabase: change(MANAGE_CLUSTER, drop),
  AlterDatabasePrettyName: change(MANAGE_DATABASE, rename),
};

async function create({ context, command }: CommandCall): Promise<CommandResult> {
  const { name } = await createDatabase(context.catalog, {
    name: argument(command, "DatabaseName"),
    ifNotExists: command.words.has("ifnotexists"),
  });
  return { columns: CREATED, rows: [[name, "", "true", true, true]] };
}

async function drop({ context, command }: CommandCall): Promise<CommandResult> {
  const name = argument(command, "DatabaseName");
  const { catalog } = context;
  const found = catalog.schema().databases.find((one) => one.name === name);
  await dropDatabase(catalog, { name, ifExists: command.words.has("ifexists") });
  return { columns: DROPPED, rows: (found?.tables ?? []).map((table) => [table.name, "0"]) };
}

async function rename({ context, command }: CommandCall): Promise<CommandResult> {
  const { name, prettyName } = await setPrettyName(context.catalog, {
    name: argument(command, "DatabaseName"),
    prettyName: argument(command, "DatabasePrettyName"),
  });
  return { columns: NAMED, rows: [[name, prettyName]] };
}
