import type { KqlColumn } from "#engines/kql/types.ts";
import type { Catalog, CatalogChange } from "./catalog.ts";
import { alreadyExists, CatalogError, notFound } from "./catalog-error.ts";
import {
  databaseOf,
  findTable,
  sqlTable,
  SYSTEM_COLUMNS,
  tableOf,
  type CatalogColumn,
  type CatalogDatabase,
  type CatalogTable,
} from "./catalog-schema.ts";
import { checkName } from "./names.ts";
import {
  alterStoredTable,
  checkColumns,
  createStoredTable,
  dropStoredTable,
  newColumns,
} from "./stored-tables.ts";

const TABLES_MAX = 100_000;

export interface TableName {
  readonly database: string;
  readonly table: string;
}

export interface TableDefinition extends TableName {
  readonly columns: readonly KqlColumn[];
  readonly folder?: string | undefined;
  readonly docString?: string | undefined;
}

/** Makes a table. One that exists is given back as it is, whatever its columns. */
export async function createTable(
  catalog: Catalog,
  definition: TableDefinition,
): Promise<CatalogTable> {
  const { database, table } = definition;
  checkTable(definition);
  return await catalog.change(async (change) => {
    const existing = findTable(databaseOf(change.schema(), database), table);
    return existing ?? (await create(change, definition));
  });
}

/** Makes a table, or adds the columns that it lacks. */
export async function createMergeTable(
  catalog: Catalog,
  definition: TableDefinition,
): Promise<CatalogTable> {
  const { database, table } = definition;
  checkTable(definition);
  const found = findTable(databaseOf(catalog.schema(), database), table);
  return found === undefined
    ? await createTable(catalog, definition).then(() => alterMergeTable(catalog, definition))
    : await alterMergeTable(catalog, definition);
}

/** Adds the columns that the table lacks, in their order, behind those that it has. */
export async function alterMergeTable(
  catalog: Catalog,
  definition: TableDefinition,
): Promise<CatalogTable> {
  checkTable(definition);
  return await edit(catalog, definition, (table) => {
    const added = definition.columns.filter((column) => sameColumn(table, column) === undefined);
    const columns = [...table.columns, ...newColumns(added, table.nextColumnId)];
    checkColumns(columns);
    return { ...table, ...described(table, definition), columns };
  });
}

/** Gives the table exactly these columns; data of columns that it keeps stays. */
export async function alterTable(
  catalog: Catalog,
  definition: TableDefinition,
): Promise<CatalogTable> {
  checkTable(definition);
  return await edit(catalog, definition, (table) => {
    let nextId = table.nextColumnId;
    const columns = definition.columns.map((column) => {
      const existing = sameColumn(table, column);
      if (existing !== undefined) return existing;
      nextId += 1;
      return newColumns([column], nextId - 1);
    });
    return { ...table, ...described(table, definition), columns: columns.flat() };
  });
}

/** Changes a table, alone with it, and its stored columns with it. */
export async function edit(
  catalog: Catalog,
  { database, table }: TableName,
  change: (table: CatalogTable, database: CatalogDatabase) => CatalogTable,
): Promise<CatalogTable> {
  return await catalog.changeTables(
    (schema) => [tableOf(databaseOf(schema, database), table)],
    async (started) => {
      const place = databaseOf(started.schema(), database);
      const before = tableOf(place, table);
      const changed = change(before, place);
      const nextColumnId = Math.max(
        ...changed.columns.map(({ id }) => id + 1),
        before.nextColumnId,
      );
      const after = { ...changed, nextColumnId };
      await alterStoredTable(started, before, after);
      await started.putTable(place.id, after);
      return after;
    },
  );
}

/** Gives tables new names, all at once: two may swap theirs. */
export async function renameTables(
  catalog: Catalog,
  database: string,
  renames: readonly { readonly from: string; readonly to: string }[],
): Promise<readonly CatalogTable[]> {
  for (const { to } of renames) checkName("table", to);
  return await catalog.change(async (change) => {
    const place = databaseOf(change.schema(), database);
    const renamed = renames.map(({ from, to }) => ({ ...tableOf(place, from), name: to }));
    for (const table of renamed) await change.putTable(place.id, table);
    const names = databaseOf(change.schema(), database).tables.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw alreadyExists("Table", twice);
    return renamed;
  });
}

/** Drops tables with their data; of those that do not exist, only `ifExists` allows. */
export async function dropTables(
  catalog: Catalog,
  {
    database,
    tables,
    ifExists = false,
  }: {
    readonly database: string;
    readonly tables: readonly string[];
    readonly ifExists?: boolean;
  },
): Promise<readonly CatalogTable[]> {
  return await catalog.changeTables(
    (schema) => {
      const place = databaseOf(schema, database);
      const missing = tables.find((name) => findTable(place, name) === undefined);
      if (missing !== undefined && !ifExists) throw notFound("Table", missing, place.name);
      return place.tables.filter(({ name }) => tables.includes(name));
    },
    async (change) => {
      const place = databaseOf(change.schema(), database);
      const dropped = place.tables.filter(({ name }) => tables.includes(name));
      for (const table of dropped) await dropStoredTable(change, table);
      return dropped;
    },
  );
}

/** Removes all rows. */
export async function clearTable(catalog: Catalog, name: TableName): Promise<void> {
  await catalog.changeTables(
    (schema) => [tableOf(databaseOf(schema, name.database), name.table)],
    async (change) => {
      const { sqlName, id } = tableOf(databaseOf(change.schema(), name.database), name.table);
      await change.connection.run(`truncate ${sqlName}`);
      await change.connection.run(`delete from atoll_catalog.extents where table_id = ${id}`);
    },
  );
}

/** Sets what describes a table; what is left out stays. */
export async function describeTable(
  catalog: Catalog,
  description: TableName & Partial<Pick<CatalogTable, "folder" | "docString">>,
): Promise<CatalogTable> {
  return await edit(catalog, description, (table) => ({
    ...table,
    ...described(table, description),
  }));
}

async function create(change: CatalogChange, definition: TableDefinition): Promise<CatalogTable> {
  const place = databaseOf(change.schema(), definition.database);
  if (place.tables.length >= TABLES_MAX) {
    throw new CatalogError("limit", `A database may have ${TABLES_MAX} tables at most.`);
  }
  const id = change.nextId();
  const table: CatalogTable = {
    id,
    name: definition.table,
    sqlName: `main.${sqlTable({ id })}`,
    system: SYSTEM_COLUMNS,
    columns: newColumns(definition.columns, 0),
    nextColumnId: definition.columns.length,
    folder: definition.folder ?? "",
    docString: definition.docString ?? "",
    createdOn: change.now,
    mappings: [],
    policies: {},
  };
  await createStoredTable(change, table);
  await change.putTable(place.id, table);
  return table;
}

function checkTable({ table, columns }: TableDefinition): void {
  checkName("table", table);
  checkColumns(columns);
}

function sameColumn(table: CatalogTable, { name, type }: KqlColumn): CatalogColumn | undefined {
  const column = table.columns.find((one) => one.name === name);
  if (column === undefined || column.type === type) return column;
  const difference = `is of type ${column.type} and cannot become ${type} here`;
  throw new CatalogError("invalid-schema", `Column '${name}' ${difference}.`);
}

function described(
  table: CatalogTable,
  { folder = table.folder, docString = table.docString }: Partial<TableDefinition>,
) {
  return { folder, docString };
}
