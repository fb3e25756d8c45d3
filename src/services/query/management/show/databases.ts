import type { CatalogDatabase } from "../../catalog/catalog-schema.ts";
import { databaseOf } from "../../catalog/catalog-schema.ts";
import { SEE, databaseNameOf, guidOf, show, type CommandCall, type Commands } from "../command.ts";
import { columnsText } from "../columns-text.ts";
import { argumentsNamed } from "../parsed-command.ts";
import { columnsOf, type CommandResult } from "../result.ts";

/** Changes of the schema are not counted; clients show the version and nothing else. */
const VERSION = "v1.0";

const DATABASES = columnsOf(
  "DatabaseName, PersistentStorage, Version, IsCurrent:bool, DatabaseAccessMode, PrettyName, " +
    "ReservedSlot1:bool, DatabaseId:guid, InTransitionTo, SuspensionState",
);
const IDENTITIES = columnsOf(
  "DatabaseName, PersistentStorage, Version, IsCurrent:bool, DatabaseAccessMode, PrettyName, " +
    "CurrentUserIsUnrestrictedViewer:bool, DatabaseId:guid, InTransitionTo",
);
const SCHEMA = columnsOf(
  "DatabaseName, TableName, ColumnName, ColumnType, IsDefaultTable:bool, IsDefaultColumn:bool, " +
    "PrettyName, Version, Folder, DocString",
);
const ENTITIES = columnsOf(
  "DatabaseName, EntityType, EntityName, DocString, Folder, CslInputSchema, Content, " +
    "CslOutputSchema, Properties:dynamic",
);

export const showDatabases: Commands = {
  ShowClusterDatabases: show("own", (call) => listed(call, readable(call))),
  ShowDatabase: show(SEE, (call) => listed(call, [call.database])),
  ShowClusterDatabasesIdentity: show("own", showIdentities),
  ShowDatabaseSchema: show(SEE, (call) => schemaOf([named(call)])),
  ShowDatabasesSchema: show("own", (call) => schemaOf(chosen(call))),
  ShowDatabasesEntities: show("own", (call) => entitiesOf(chosen(call))),
};

/** The databases whose schema the caller may see. */
export function readable({ context, caller }: CommandCall): readonly CatalogDatabase[] {
  const { access, catalog } = context;
  return catalog
    .schema()
    .databases.filter(({ name }) => access.may(caller, "readSchema", { database: name }));
}

/** Those that the command names, or all of them. */
export function chosen(call: CommandCall): readonly CatalogDatabase[] {
  const names = argumentsNamed(call.command, "DatabaseName");
  const all = readable(call);
  if (names.length === 0) return all;
  const schema = { ...call.context.catalog.schema(), databases: all };
  return names.map((name) => databaseOf(schema, name));
}

/** The one that the command names, or that of the request. */
export function named(call: CommandCall): CatalogDatabase {
  return databaseOf(call.context.catalog.schema(), databaseNameOf(call));
}

function listed({ database }: CommandCall, databases: readonly CatalogDatabase[]): CommandResult {
  const rows = databases.map(({ name, prettyName, id }) => [
    name,
    "",
    VERSION,
    name === database.name,
    "ReadWrite",
    prettyName,
    false,
    guidOf(`database ${id}`),
    "",
    "",
  ]);
  return { columns: DATABASES, rows };
}

function showIdentities(call: CommandCall): CommandResult {
  const rows = readable(call).map(({ name, prettyName, id }) => [
    name,
    "",
    VERSION,
    name === call.database.name,
    "ReadWrite",
    prettyName,
    true,
    guidOf(`database ${id}`),
    "",
  ]);
  return { columns: IDENTITIES, rows };
}

/** A row per database, per table and per column, each with what is above it. */
function schemaOf(databases: readonly CatalogDatabase[]): CommandResult {
  const rows = databases.flatMap(({ name, prettyName, tables }) => [
    [name, "", "", "", false, false, prettyName, VERSION, "", ""],
    ...tables.flatMap((table) => [
      [name, table.name, "", "", false, false, "", "", table.folder, table.docString],
      ...table.columns.map(({ name: column, type, docString }) => {
        return [name, table.name, column, type, false, false, "", "", "", docString];
      }),
    ]),
  ]);
  return { columns: SCHEMA, rows };
}

function entitiesOf(databases: readonly CatalogDatabase[]): CommandResult {
  const rows = databases.flatMap(({ name, tables, functions }) => [
    ...tables.map((table) => {
      const { docString, folder, columns } = table;
      return [name, "Table", table.name, docString, folder, "", "", columnsText(columns), {}];
    }),
    ...functions.map((one) => {
      const { docString, folder, parameters, body } = one;
      return [name, "Function", one.name, docString, folder, parameters, body, "", {}];
    }),
  ]);
  return { columns: ENTITIES, rows };
}
