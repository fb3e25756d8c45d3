import type {
  CatalogDatabase,
  CatalogFunction,
  CatalogTable,
} from "../../catalog/catalog-schema.ts";
import { columnJson, columnsText } from "../columns-text.ts";
import { SEE, show, type Commands } from "../command.ts";
import { parametersJson } from "../parameters.ts";
import { columnsOf, quotedName, type CommandResult } from "../result.ts";
import { chosen, named, readable } from "./databases.ts";

const SCHEMA = columnsOf("DatabaseSchema");
const SCRIPT = columnsOf("DatabaseSchemaScript");

/** What editors read to complete and check queries. */
export const showSchemas: Commands = {
  ShowSchema: show("own", (call) => schemaJson(readable(call))),
  ShowDatabaseSchemaAsJson: show(SEE, (call) => schemaJson([named(call)])),
  ShowDatabasesSchemaAsJson: show("own", (call) => schemaJson(chosen(call))),
  ShowDatabaseSchemaAsCslScript: show(SEE, (call) => scriptOf(named(call))),
};

/** Plugins that editors offer behind `evaluate`. */
const PLUGINS = [
  "autocluster",
  "bag_unpack",
  "basket",
  "diffpatterns",
  "narrow",
  "pivot",
  "preview",
  "sequence_detect",
];

function schemaJson(databases: readonly CatalogDatabase[]): CommandResult {
  const schema = {
    Plugins: PLUGINS.map((name) => ({ Name: name })),
    Databases: Object.fromEntries(databases.map((one) => [one.name, databaseJson(one)])),
  };
  return { columns: SCHEMA, rows: [[JSON.stringify(schema)]] };
}

function databaseJson(database: CatalogDatabase): object {
  const { name, prettyName, tables, functions } = database;
  return {
    Name: name,
    ...(prettyName !== "" && { PrettyName: prettyName }),
    Tables: Object.fromEntries(tables.map((table) => [table.name, tableJson(table)])),
    ExternalTables: {},
    MaterializedViews: {},
    EntityGroups: {},
    Graphs: {},
    StoredQueryResults: {},
    MajorVersion: 1,
    MinorVersion: 0,
    Functions: Object.fromEntries(functions.map((one) => [one.name, functionJson(one)])),
    DatabaseAccessMode: "ReadWrite",
  };
}

export function tableJson({ name, folder, docString, columns }: CatalogTable): object {
  return {
    Name: name,
    EntityType: "Table",
    ...(folder !== "" && { Folder: folder }),
    ...(docString !== "" && { DocString: docString }),
    OrderedColumns: columns.map(columnJson),
  };
}

function functionJson(one: CatalogFunction): object {
  return {
    Name: one.name,
    InputParameters: parametersJson(one.parameters),
    Body: one.body,
    Folder: one.folder,
    DocString: one.docString,
    FunctionKind: "Unknown",
    OutputColumns: [],
  };
}

/** Commands that make the database anew. */
function scriptOf({ tables, functions }: CatalogDatabase): CommandResult {
  const made = tables.map(({ name, columns, folder, docString }) => {
    const declared = `${quotedName(name)} (${columnsText(columns)})`;
    return `.create-merge table ${declared}${withText({ folder, docString })}`;
  });
  const functionTexts = functions.map(({ name, parameters, body, folder, docString }) => {
    const described = withText({ folder, docString, skipvalidation: "true" });
    return `.create-or-alter function${described} ${quotedName(name)}${parameters} ${body}`;
  });
  return { columns: SCRIPT, rows: [[[...made, ...functionTexts].join("\n\n")]] };
}

function withText(properties: Readonly<Record<string, string>>): string {
  const said = Object.entries(properties)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name.toLowerCase()}=${JSON.stringify(value)}`);
  return said.length === 0 ? "" : ` with (${said.join(", ")})`;
}
