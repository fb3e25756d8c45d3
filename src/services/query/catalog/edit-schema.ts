import type {
  CatalogDatabase,
  CatalogFunction,
  CatalogSchema,
  CatalogTable,
} from "./catalog-schema.ts";

/** Copies of the schema with one thing changed; all others stay the same objects. */

interface Identified {
  readonly id: number;
}

function put<T extends Identified>(items: readonly T[], item: T): readonly T[] {
  const index = items.findIndex(({ id }) => id === item.id);
  return index === -1 ? [...items, item] : items.with(index, item);
}

function drop<T extends Identified>(items: readonly T[], id: number): readonly T[] {
  return items.some((item) => item.id === id) ? items.filter((item) => item.id !== id) : items;
}

export function withDatabase(schema: CatalogSchema, database: CatalogDatabase): CatalogSchema {
  return { ...schema, databases: put(schema.databases, database) };
}

export function withTable(
  schema: CatalogSchema,
  databaseId: number,
  table: CatalogTable,
): CatalogSchema {
  return inDatabase(schema, databaseId, (database) => ({
    ...database,
    tables: put(database.tables, table),
  }));
}

export function withFunction(
  schema: CatalogSchema,
  databaseId: number,
  item: CatalogFunction,
): CatalogSchema {
  return inDatabase(schema, databaseId, (database) => ({
    ...database,
    functions: put(database.functions, item),
  }));
}

/** Without the database, table or function of this id; all ids differ. */
export function without(schema: CatalogSchema, id: number): CatalogSchema {
  function withoutPart(database: CatalogDatabase): CatalogDatabase {
    const tables = drop(database.tables, id);
    const functions = drop(database.functions, id);
    const isSame = tables === database.tables && functions === database.functions;
    return isSame ? database : { ...database, tables, functions };
  }
  return { ...schema, databases: drop(schema.databases, id).map(withoutPart) };
}

function inDatabase(
  schema: CatalogSchema,
  databaseId: number,
  edit: (database: CatalogDatabase) => CatalogDatabase,
): CatalogSchema {
  const databases = schema.databases.map((database) =>
    database.id === databaseId ? edit(database) : database,
  );
  return { ...schema, databases };
}
