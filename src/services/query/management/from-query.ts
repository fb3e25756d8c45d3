import { KqlError } from "#engines/kql/kql-error.ts";
import type { KqlColumn } from "#engines/kql/types.ts";
import { findTable, type CatalogTable } from "../catalog/catalog-schema.ts";
import { alterMergeTable, createTable } from "../catalog/tables.ts";
import { alreadyExists, notFound } from "../catalog/catalog-error.ts";
import { askOf } from "../queries/ask.ts";
import { appendRows } from "../queries/append-rows.ts";
import { change, type CommandCall, type Commands } from "./command.ts";
import { optionsOf } from "./ingest.ts";
import { startOperation } from "./operations.ts";
import { argument } from "./parsed-command.ts";
import { columnsOf, type CommandResult } from "./result.ts";

const EXTENTS = columnsOf(
  "ExtentId:guid, OriginalSize:long, ExtentSize:long, ColumnSize:long, IndexSize:long, " +
    "RowCount:long",
);

/** Whether the table must, must not, or may be there, and what becomes of its rows. */
interface Mode {
  readonly table: "must" | "must-not" | "may";
  readonly replace: boolean;
}

/** Commands that keep the result of a query in a table. */
export const fromQueryCommands: Commands = {
  SetTable: change("own", (call) => run(call, { table: "must-not", replace: false })),
  AppendTable: change("own", (call) => run(call, { table: "must", replace: false })),
  SetOrAppendTable: change("own", (call) => run(call, { table: "may", replace: false })),
  SetOrReplaceTable: change("own", (call) => run(call, { table: "may", replace: true })),
};

function run(call: CommandCall, mode: Mode): Promise<CommandResult> {
  const table = tableOf(call, mode);
  requireRights(call, { table, mode });
  if (!call.command.words.has("async")) return store(call, mode, call.signal);
  return startOperation(call, (signal) => store(call, mode, signal));
}

function tableOf({ command, database }: CommandCall, mode: Mode): CatalogTable | undefined {
  const name = argument(command, "TableName");
  const table = findTable(database, name);
  if (table === undefined && mode.table === "must") throw notFound("Table", name, database.name);
  if (table !== undefined && mode.table === "must-not") throw alreadyExists("Table", name);
  return table;
}

interface Asked {
  readonly table: CatalogTable | undefined;
  readonly mode: Mode;
}

/** To read what the query reads, to add rows, and to make the table or to remove its rows. */
function requireRights({ context, caller, command, database }: CommandCall, asked: Asked): void {
  const place = { database: database.name };
  const there = { ...place, table: argument(command, "TableName") };
  context.access.require(caller, "query", place);
  if (asked.table === undefined) context.access.require(caller, "create", place);
  else context.access.require(caller, asked.mode.replace ? "manage" : "ingest", there);
}

async function store(call: CommandCall, mode: Mode, signal: AbortSignal): Promise<CommandResult> {
  const { context, command, caller, database, request } = call;
  const { engine, catalog, environment } = context;
  const text = command.input ?? "";
  const asked = askOf(context, { caller, request, database: database.name, text });
  const compiled = await engine.prepare(asked, { signal, lane: "management" });
  const [first, ...others] = compiled.statements;
  if (first === undefined || others.length > 0) {
    throw new KqlError("semantic", "The query behind <| has one result, no more and no less.");
  }
  const columns = await prepareTable(call, mode, first.columns);
  const { table, tags = [], creationTime } = optionsOf(call, "csv");
  const { extentId, rows } = await appendRows(catalog, environment, {
    database: database.name,
    table,
    tags,
    creationTime,
    columns,
    rows: engine.rows(compiled, { signal, lane: "query" }),
    replace: mode.replace,
  });
  return { columns: EXTENTS, rows: rows === 0 ? [] : [[extentId, 0, 0, 0, 0, rows]] };
}

/** Makes the table, or fits it to the query; the columns of the rows, as the table names them. */
async function prepareTable(
  call: CommandCall,
  mode: Mode,
  columns: readonly KqlColumn[],
): Promise<readonly KqlColumn[]> {
  const { context, command, database } = call;
  const { properties } = command;
  const definition = {
    database: database.name,
    table: argument(command, "TableName"),
    columns,
    folder: properties.get("folder"),
    docString: properties.get("docstring"),
  };
  const existing = tableOf(call, mode);
  if (existing === undefined) {
    await createTable(context.catalog, definition);
    return columns;
  }
  if (properties.get("extend_schema")?.toLowerCase() === "true") {
    await alterMergeTable(context.catalog, definition);
    return columns;
  }
  return byPosition(existing, columns);
}

/** The columns of a query go into those of the table in their order; types must be the same. */
function byPosition(
  { name, columns }: CatalogTable,
  given: readonly KqlColumn[],
): readonly KqlColumn[] {
  const said = `Query schema does not match table schema: table '${name}'`;
  if (given.length !== columns.length) {
    const counts = `has ${columns.length} columns, the query ${given.length}`;
    throw new KqlError("semantic", `${said} ${counts}.`);
  }
  for (const [index, column] of columns.entries()) {
    const other = given[index];
    if (other?.type === column.type) continue;
    const types = `is of type ${column.type}, that of the query of type ${other?.type ?? "none"}`;
    throw new KqlError("semantic", `${said}, column '${column.name}' ${types}.`);
  }
  return columns.map(({ name: column, type }) => ({ name: column, type }));
}
