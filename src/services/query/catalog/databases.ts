import type { Catalog } from "./catalog.ts";
import { alreadyExists, CatalogError } from "./catalog-error.ts";
import { databaseOf, findDatabase, type CatalogDatabase } from "./catalog-schema.ts";
import { checkName, DATABASE_NAME_LENGTH_MAX } from "./names.ts";
import { dropStoredTable } from "./stored-tables.ts";

const DATABASES_MAX = 10_000;

export interface DatabaseDefinition {
  readonly name: string;
  readonly prettyName?: string;
  readonly ifNotExists?: boolean;
}

export async function createDatabase(
  catalog: Catalog,
  { name, prettyName = "", ifNotExists = false }: DatabaseDefinition,
): Promise<CatalogDatabase> {
  checkName("database", name, DATABASE_NAME_LENGTH_MAX);
  return await catalog.change(async (change) => {
    const existing = findDatabase(change.schema(), name);
    if (existing !== undefined) {
      if (ifNotExists) return existing;
      throw alreadyExists("Database", existing.name);
    }
    if (change.schema().databases.length >= DATABASES_MAX) {
      throw new CatalogError("limit", `There may be ${DATABASES_MAX} databases at most.`);
    }
    const database: CatalogDatabase = {
      id: change.nextId(),
      name,
      prettyName,
      createdOn: change.now,
      tables: [],
      functions: [],
      mappings: [],
      policies: {},
    };
    await change.putDatabase(database);
    return database;
  });
}

/** Drops a database with all that it holds; false when there is none and that is allowed. */
export async function dropDatabase(
  catalog: Catalog,
  { name, ifExists = false }: { readonly name: string; readonly ifExists?: boolean },
): Promise<boolean> {
  if (name.toLowerCase() === catalog.defaultDatabase.toLowerCase()) {
    throw new CatalogError("invalid-value", `The default database '${name}' cannot be dropped.`);
  }
  if (ifExists && findDatabase(catalog.schema(), name) === undefined) return false;
  await catalog.changeTables(
    (schema) => databaseOf(schema, name).tables,
    async (change) => {
      const { id, tables, functions } = databaseOf(change.schema(), name);
      for (const table of tables) await dropStoredTable(change, table);
      for (const item of functions) await change.remove(item.id);
      await change.remove(id);
    },
  );
  return true;
}

export async function setPrettyName(
  catalog: Catalog,
  { name, prettyName }: { readonly name: string; readonly prettyName: string },
): Promise<CatalogDatabase> {
  return await catalog.change(async (change) => {
    const database = { ...databaseOf(change.schema(), name), prettyName };
    await change.putDatabase(database);
    return database;
  });
}

/** Gives a database another name. */
export async function renameDatabase(
  catalog: Catalog,
  { name, newName }: { readonly name: string; readonly newName: string },
): Promise<CatalogDatabase> {
  checkName("database", newName, DATABASE_NAME_LENGTH_MAX);
  if (name.toLowerCase() === catalog.defaultDatabase.toLowerCase()) {
    throw new CatalogError("invalid-value", `The default database '${name}' keeps its name.`);
  }
  return await catalog.change(async (change) => {
    const existing = databaseOf(change.schema(), name);
    const other = findDatabase(change.schema(), newName);
    if (other !== undefined && other.id !== existing.id) {
      throw alreadyExists("Database", other.name);
    }
    const database = { ...existing, name: newName };
    await change.putDatabase(database);
    return database;
  });
}
