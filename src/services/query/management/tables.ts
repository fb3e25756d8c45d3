import { KQL_TYPES, type KqlColumn, type KqlType } from "#engines/kql/types.ts";
import { KqlError } from "#engines/kql/kql-error.ts";
import { databaseOf, findTable, type CatalogTable } from "../catalog/catalog-schema.ts";
import {
  alterColumnType,
  describeColumns,
  dropColumns,
  renameColumns,
} from "../catalog/columns.ts";
import {
  alterMergeTable,
  alterTable,
  clearTable,
  createMergeTable,
  createTable,
  describeTable,
  dropTables,
  renameTables,
} from "../catalog/tables.ts";
import { change, CREATE, MANAGE_DATABASE, MANAGE_TABLE } from "./command.ts";
import type { CommandCall, Commands } from "./command.ts";
import { argument, argumentsNamed, type ParsedCommand } from "./parsed-command.ts";
import { columnsOf, type CommandResult } from "./result.ts";
import { asJson, schemaOf, tableList, tableNamed } from "./show/tables.ts";

const DROPPED = columnsOf("TableName, DatabaseName");
const STATUS = columnsOf("Status");
const COLUMN = columnsOf("EntityName, DataType, Policy");

/** Commands that make and change tables and their columns. */
export const tableCommands: Commands = {
  CreateTable: change(CREATE, (call) => one(call, createTable)),
  CreateMergeTable: change("own", createOrMerge),
  CreateTables: change(CREATE, (call) => several(call, createTable)),
  CreateMergeTables: change("own", (call) => several(call, createMergeTable)),
  CreateTableBasedOnAnother: change(CREATE, createAlike),
  AlterTable: change(MANAGE_TABLE, (call) => one(call, alterTable)),
  AlterMergeTable: change(MANAGE_TABLE, (call) => one(call, alterMergeTable)),
  AlterTableDocString: change(MANAGE_TABLE, (call) => {
    return described(call, { docString: argument(call.command, "Documentation") });
  }),
  AlterTableFolder: change(MANAGE_TABLE, (call) => {
    return described(call, { folder: argument(call.command, "Folder") });
  }),
  AlterTableColumnDocStrings: change(MANAGE_TABLE, (call) => describedColumns(call, true)),
  AlterMergeTableColumnDocStrings: change(MANAGE_TABLE, (call) => describedColumns(call, false)),
  RenameTable: change(MANAGE_TABLE, renamed),
  RenameTables: change(MANAGE_DATABASE, renamed),
  DropTable: change(MANAGE_TABLE, dropped),
  DropTables: change(MANAGE_DATABASE, dropped),
  ClearTableData: change(MANAGE_TABLE, cleared),
  DropColumn: change(MANAGE_TABLE, dropColumn),
  DropTableColumns: change(MANAGE_TABLE, dropTableColumns),
  RenameColumn: change(MANAGE_TABLE, renameColumn),
  RenameColumns: change(MANAGE_TABLE, renameColumn),
  AlterColumnType: change(MANAGE_TABLE, alterType),
};

type Make = typeof createTable;

/** `with (folder = "f", docstring = "d")` */
function descriptionOf({ properties }: ParsedCommand) {
  return { folder: properties.get("folder"), docString: properties.get("docstring") };
}

async function one(call: CommandCall, make: Make): Promise<CommandResult> {
  const { context, command, database } = call;
  const table = await make(context.catalog, {
    database: database.name,
    table: argument(command, "TableName"),
    columns: declaredColumns(command),
    ...descriptionOf(command),
  });
  return asJson(database, table);
}

/** Whoever may make tables may do so here; what is there already takes more. */
function createOrMerge(call: CommandCall): Promise<CommandResult> {
  requireMerge(call, argument(call.command, "TableName"));
  return one(call, createMergeTable);
}

function requireMerge({ context, caller, database }: CommandCall, table: string): void {
  const place = { database: database.name };
  const exists = findTable(database, table) !== undefined;
  if (exists) context.access.require(caller, "manage", { ...place, table });
  else context.access.require(caller, "create", place);
}

/** Columns that are declared behind each table's name. */
async function several(call: CommandCall, make: Make): Promise<CommandResult> {
  const { context, command, database } = call;
  const tables: CatalogTable[] = [];
  for (const { table, columns } of declaredTables(command)) {
    if (make === createMergeTable) requireMerge(call, table);
    const definition = { database: database.name, table, columns, ...descriptionOf(command) };
    tables.push(await make(context.catalog, definition));
  }
  return tableList(database, tables);
}

function declaredTables(command: ParsedCommand) {
  const tables: { table: string; parts: ParsedCommand["arguments"][number][] }[] = [];
  for (const part of command.arguments) {
    if (part.name === "TableName") tables.push({ table: part.value, parts: [] });
    else tables.at(-1)?.parts.push(part);
  }
  return tables.map(({ table, parts }) => ({
    table,
    columns: declaredColumns({ ...command, arguments: parts }),
  }));
}

function declaredColumns(command: ParsedCommand): KqlColumn[] {
  const types = argumentsNamed(command, "ColumnType");
  return argumentsNamed(command, "ColumnName").map((name, index) => {
    return { name, type: typeOf(types[index] ?? "") };
  });
}

const ALIASES: Readonly<Record<string, KqlType>> = {
  boolean: "bool",
  date: "datetime",
  double: "real",
  float: "real",
  int32: "int",
  int64: "long",
  time: "timespan",
  uniqueid: "guid",
  uuid: "guid",
  object: "dynamic",
};

/** The type that a command names, under any of its names. */
function typeOf(text: string): KqlType {
  const lower = text.toLowerCase().replace(/^system\./, "");
  const type = KQL_TYPES.find((known) => known === lower) ?? ALIASES[lower];
  if (type !== undefined) return type;
  throw new KqlError("semantic", `'${text}' is no type of a column.`);
}

async function createAlike(call: CommandCall): Promise<CommandResult> {
  const { context, command, database } = call;
  const { columns, folder, docString } = tableNamed(call);
  const table = await createTable(context.catalog, {
    database: database.name,
    table: argument(command, "NewTableName"),
    columns: columns.map(({ name, type }) => ({ name, type })),
    folder,
    docString,
  });
  return asJson(database, table);
}

async function described(
  { context, command, database }: CommandCall,
  description: { readonly folder?: string; readonly docString?: string },
): Promise<CommandResult> {
  const name = { database: database.name, table: argument(command, "TableName") };
  return schemaOf(database, [await describeTable(context.catalog, { ...name, ...description })]);
}

async function describedColumns(
  { context, command, database }: CommandCall,
  replace: boolean,
): Promise<CommandResult> {
  const columns = argumentsNamed(command, "ColumnName");
  const texts = argumentsNamed(command, "DocString");
  const table = await describeColumns(context.catalog, {
    database: database.name,
    table: argument(command, "TableName"),
    docStrings: Object.fromEntries(columns.map((name, index) => [name, texts[index] ?? ""])),
    replace,
  });
  return schemaOf(database, [table]);
}

async function renamed({ context, command, database }: CommandCall): Promise<CommandResult> {
  const names = argumentsNamed(command, "NewTableName");
  const renames = argumentsNamed(command, "TableName").map((from, index) => ({
    from,
    to: names[index] ?? "",
  }));
  return tableList(database, await renameTables(context.catalog, database.name, renames));
}

async function dropped({ context, command, database }: CommandCall): Promise<CommandResult> {
  const { catalog } = context;
  await dropTables(catalog, {
    database: database.name,
    tables: argumentsNamed(command, "TableName"),
    ifExists: command.words.has("ifexists"),
  });
  // The service answers with the tables that are left.
  const { tables } = databaseOf(catalog.schema(), database.name);
  return { columns: DROPPED, rows: tables.map(({ name }) => [name, database.name]) };
}

async function cleared({ context, command, database }: CommandCall): Promise<CommandResult> {
  const table = argument(command, "TableName");
  await clearTable(context.catalog, { database: database.name, table });
  return { columns: STATUS, rows: [["Success"]] };
}

async function dropColumn(call: CommandCall): Promise<CommandResult> {
  const { context, command, database } = call;
  const { table, column } = columnPath(command.arguments[0]?.path);
  const name = { database: database.name, table };
  return schemaOf(database, [await dropColumns(context.catalog, { ...name, columns: [column] })]);
}

async function dropTableColumns(call: CommandCall): Promise<CommandResult> {
  const { context, command, database } = call;
  const changed = await dropColumns(context.catalog, {
    database: database.name,
    table: argument(command, "TableName"),
    columns: argumentsNamed(command, "ColumnName"),
    ifExists: command.words.has("ifexists"),
  });
  return schemaOf(database, [changed]);
}

/** `.rename columns new = T.old, …`: all of them are of one table. */
async function renameColumn({ context, command, database }: CommandCall): Promise<CommandResult> {
  const paths = command.arguments
    .filter(({ name }) => name === "ColumnName")
    .map(({ path }) => columnPath(path));
  const names = argumentsNamed(command, "NewColumnName");
  const [{ table } = { table: "" }] = paths;
  if (paths.some((path) => path.table !== table)) {
    throw new KqlError("semantic", "Columns of one table only are renamed by one command.");
  }
  const renames = paths.map(({ column }, index) => ({ from: column, to: names[index] ?? "" }));
  const name = { database: database.name, table };
  const { columns } = await renameColumns(context.catalog, name, renames);
  const rows = columns
    .filter((column) => names.includes(column.name))
    .map((column) => [column.name, column.type, ""]);
  return { columns: COLUMN, rows };
}

async function alterType({ context, command, database }: CommandCall): Promise<CommandResult> {
  const path = columnPath(command.arguments[0]?.path);
  const type = typeOf(argument(command, "ColumnType"));
  await alterColumnType(context.catalog, { database: database.name, ...path, type });
  return { columns: COLUMN, rows: [[path.column, type, ""]] };
}

function columnPath(path: readonly string[] | undefined) {
  const [table = "", column = ""] = path ?? [];
  if (column !== "") return { table, column };
  throw new KqlError("semantic", "A column is named with its table: Table.Column.");
}
