import { tableOf, type CatalogDatabase, type CatalogTable } from "../../catalog/catalog-schema.ts";
import { listExtents, type Extent } from "../../catalog/extents.ts";
import { columnsText } from "../columns-text.ts";
import { guidOf, SEE, SEE_TABLE, show, type CommandCall, type Commands } from "../command.ts";
import { argument, argumentsNamed } from "../parsed-command.ts";
import { columnsOf, type Cell, type CommandResult } from "../result.ts";
import { named, readable } from "./databases.ts";
import { tableJson } from "./schema-json.ts";

const TABLES = columnsOf("TableName, DatabaseName, Folder, DocString");
const SCHEMA = columnsOf("TableName, Schema, DatabaseName, Folder, DocString");
const ATTRIBUTES = columnsOf(
  "AttributeName, AttributeType, ExtentSize:long, CompressionRatio:real, IndexSize:long, " +
    "IndexSizePercent:real, OriginalSize:long, AttributeId:guid, SharedIndexSize:long, " +
    "StorageEngineVersion",
);
const DETAILS = columnsOf(
  "TableName, DatabaseName, Folder, DocString, TotalExtents:long, TotalExtentSize:real, " +
    "TotalOriginalSize:real, TotalRowCount:long, HotExtents:long, HotExtentSize:real, " +
    "HotOriginalSize:real, HotRowCount:long, AuthorizedPrincipals, RetentionPolicy, " +
    "CachingPolicy, ShardingPolicy, MergePolicy, StreamingIngestionPolicy, " +
    "IngestionBatchingPolicy, MinExtentsCreationTime:datetime, MaxExtentsCreationTime:datetime, " +
    "RowOrderPolicy, TableId:guid",
);
const EXTENTS = columnsOf(
  "ExtentId:guid, DatabaseName, TableName, MaxCreatedOn:datetime, OriginalSize:real, " +
    "ExtentSize:real, CompressedSize:real, IndexSize:real, Blocks:long, Segments:long, " +
    "ExtentContainerId, RowCount:long, MinCreatedOn:datetime, Tags, Kind, DeletedRowCount:long",
);

export const showTables: Commands = {
  ShowTables: show(SEE, (call) => tableList(call.database, chosenTables(call))),
  ShowTable: show(SEE_TABLE, (call) => attributesOf(tableNamed(call))),
  ShowTablesDetails: show(SEE, (call) => detailsOf(call, chosenTables(call))),
  ShowTableDetails: show(SEE_TABLE, (call) => detailsOf(call, [tableNamed(call)])),
  ShowTableCslSchema: show(SEE_TABLE, (call) => schemaOf(call.database, [tableNamed(call)])),
  ShowDatabaseCslSchema: show(SEE, (call) => schemaOf(named(call), named(call).tables)),
  ShowTableSchemaAsJson: show(SEE_TABLE, (call) => asJson(call.database, tableNamed(call))),
  ShowTableExtents: show(SEE_TABLE, (call) => {
    return extentsOf(call, [{ database: call.database, tables: chosenTables(call) }]);
  }),
  ShowDatabaseExtents: show(SEE, (call) => {
    const database = named(call);
    return extentsOf(call, [{ database, tables: database.tables }]);
  }),
  ShowClusterExtents: show("own", (call) => {
    const all = readable(call).map((database) => ({ database, tables: database.tables }));
    return extentsOf(call, all);
  }),
};

export function tableNamed({ command, database }: CommandCall): CatalogTable {
  return tableOf(database, argument(command, "TableName"));
}

function chosenTables({ command, database }: CommandCall): readonly CatalogTable[] {
  const names = argumentsNamed(command, "TableName");
  return names.length === 0 ? database.tables : names.map((name) => tableOf(database, name));
}

export function tableList(
  database: CatalogDatabase,
  tables: readonly CatalogTable[],
): CommandResult {
  const rows = tables.map(({ name, folder, docString }) => [
    name,
    database.name,
    folder,
    docString,
  ]);
  return { columns: TABLES, rows };
}

/** What commands that make or change a table answer. */
export function schemaOf(
  database: CatalogDatabase,
  tables: readonly CatalogTable[],
): CommandResult {
  const rows = tables.map(({ name, columns, folder, docString }) => {
    return [name, columnsText(columns), database.name, folder, docString];
  });
  return { columns: SCHEMA, rows };
}

/** The same, with the schema in JSON. */
export function asJson(database: CatalogDatabase, table: CatalogTable): CommandResult {
  const { name, folder, docString } = table;
  const rows = [[name, JSON.stringify(tableJson(table)), database.name, folder, docString]];
  return { columns: SCHEMA, rows };
}

function attributesOf({ id, columns }: CatalogTable): CommandResult {
  const rows = columns.map(({ name, type, id: column }) => {
    const attribute = guidOf(`column ${column} of ${id}`);
    return [name, type, 0, 0, 0, 0, 0, attribute, 0, "V3"];
  });
  return { columns: ATTRIBUTES, rows };
}

async function detailsOf(
  { context, database }: CommandCall,
  tables: readonly CatalogTable[],
): Promise<CommandResult> {
  const rows: Cell[][] = [];
  for (const table of tables) {
    const name = { database: database.name, table: table.name };
    rows.push(detailRow(database, table, await listExtents(context.catalog, name)));
  }
  return { columns: DETAILS, rows };
}

function detailRow(
  database: CatalogDatabase,
  table: CatalogTable,
  extents: readonly Extent[],
): Cell[] {
  const size = Number(extents.reduce((sum, { originalSize }) => sum + originalSize, 0n));
  const count = extents.reduce((sum, { rows }) => sum + rows, 0n);
  const totals = [extents.length, size, size, count];
  const policy = (name: string) =>
    JSON.stringify(table.policies[name] ?? database.policies[name] ?? null);
  return [
    table.name,
    database.name,
    table.folder,
    table.docString,
    ...totals,
    ...totals,
    "",
    policy("retention"),
    policy("caching"),
    policy("sharding"),
    policy("merge"),
    policy("streamingingestion"),
    policy("ingestionbatching"),
    extents.at(0)?.createdOn ?? null,
    extents.at(-1)?.createdOn ?? null,
    "",
    guidOf(`table ${table.id}`),
  ];
}

interface Chosen {
  readonly database: CatalogDatabase;
  readonly tables: readonly CatalogTable[];
}

async function extentsOf(
  { context }: CommandCall,
  places: readonly Chosen[],
): Promise<CommandResult> {
  const rows: Cell[][] = [];
  for (const { database, tables } of places) {
    for (const { name } of tables) {
      const extents = await listExtents(context.catalog, { database: database.name, table: name });
      for (const extent of extents) rows.push(extentRow(database.name, name, extent));
    }
  }
  return { columns: EXTENTS, rows };
}

function extentRow(database: string, table: string, extent: Extent): Cell[] {
  const { id, rows, createdOn, minIngestedOn, maxIngestedOn, tags } = extent;
  const size = Number(extent.originalSize);
  const sizes = [size, size, size, 0, 0, 0];
  const last = maxIngestedOn > createdOn ? maxIngestedOn : createdOn;
  const times = { first: minIngestedOn, last };
  const kind = "StorageV3";
  return [
    id,
    database,
    table,
    times.last,
    ...sizes,
    "",
    rows,
    times.first,
    tags.join(" "),
    kind,
    0,
  ];
}
