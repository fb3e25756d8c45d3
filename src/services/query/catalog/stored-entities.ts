import type { DuckDbConnection } from "#engines/duckdb/connection.ts";
import { jsonText } from "#engines/duckdb/json-text.ts";
import { sqlText } from "#engines/duckdb/sql-text.ts";
import type { Json, KqlColumn } from "#engines/kql/types.ts";
import {
  sqlTable,
  SYSTEM_COLUMNS,
  type CatalogDatabase,
  type CatalogFunction,
  type CatalogSchema,
  type CatalogTable,
  type Mapping,
  type Policies,
} from "./catalog-schema.ts";

/** How the schema lies in the SQL engine: one row per entity, what it holds as JSON. */

type EntityKind = "cluster" | "database" | "table" | "function";

interface Entity {
  readonly id: number;
  readonly kind: EntityKind;
  /** The database of a table or function. */
  readonly parent: number;
  readonly body: Json;
}

type StoredDatabase = Omit<CatalogDatabase, "tables" | "functions">;

/** The row that holds the policies of the cluster. */
const CLUSTER_ID = 0;

const CREATE = `
  create schema if not exists atoll_catalog;
  create table if not exists atoll_catalog.entities (
    id bigint not null, kind varchar not null, parent bigint not null, body varchar not null
  );
  create table if not exists atoll_catalog.extents (
    id varchar not null, table_id bigint not null, created bigint not null,
    tags varchar not null, original_size bigint not null
  );`;

const COLUMNS: readonly KqlColumn[] = [
  { name: "id", type: "long" },
  { name: "kind", type: "string" },
  { name: "parent", type: "long" },
  { name: "body", type: "dynamic" },
];

export async function createTables(connection: DuckDbConnection): Promise<void> {
  await connection.run(CREATE);
}

export async function storeEntity(
  connection: DuckDbConnection,
  { id, kind, parent, body }: Entity,
): Promise<void> {
  const values = [id, sqlText(kind), parent, sqlText(jsonText(body))];
  await removeEntity(connection, id);
  await connection.run(`insert into atoll_catalog.entities values (${values.join(", ")})`);
}

export async function removeEntity(connection: DuckDbConnection, id: number): Promise<void> {
  await connection.run(`delete from atoll_catalog.entities where id = ${id}`);
}

export function clusterEntity({ policies }: CatalogSchema): Entity {
  return { id: CLUSTER_ID, kind: "cluster", parent: CLUSTER_ID, body: { policies } };
}

export function databaseEntity(database: CatalogDatabase): Entity {
  const { id, name, prettyName, createdOn, mappings, policies } = database;
  const body = { name, prettyName, createdOn, mappings: mappings.map(bag), policies };
  return { id, kind: "database", parent: CLUSTER_ID, body };
}

export function tableEntity(parent: number, table: CatalogTable): Entity {
  const { id, name, folder, docString, createdOn, nextColumnId, mappings, policies } = table;
  const columns = table.columns.map((column) => ({
    id: column.id,
    name: column.name,
    type: column.type,
    docString: column.docString,
  }));
  const own = { name, folder, docString, createdOn, nextColumnId, columns, policies };
  return { id, kind: "table", parent, body: { ...own, mappings: mappings.map(bag) } };
}

export function functionEntity(parent: number, item: CatalogFunction): Entity {
  const { id, name, parameters, body, folder, docString } = item;
  return { id, kind: "function", parent, body: { name, parameters, body, folder, docString } };
}

function bag({ kind, name, text, updatedOn }: Mapping): Json {
  return { kind, name, text, updatedOn };
}

/** The schema as it is stored, and the first id that nothing has. */
export async function loadSchema(
  connection: DuckDbConnection,
): Promise<{ schema: CatalogSchema; nextId: number }> {
  const sql = "select id, kind, parent, body from atoll_catalog.entities order by id";
  const rows = (await Array.fromAsync(connection.rows(sql, COLUMNS))).flat();
  const entities = rows.map(([id, kind, parent, body]) => ({
    id: Number(id),
    kind: typeof kind === "string" ? kind : "",
    parent: Number(parent),
    body,
  }));
  const byParent = Map.groupBy(entities, (one) => `${one.kind} ${one.parent}`);
  function bodies<T>(kind: EntityKind, parent: number): (T & { id: number })[] {
    const found = byParent.get(`${kind} ${parent}`) ?? [];
    // Written by this file.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return found.map(({ id, body }) => Object.assign(body as T & object, { id }));
  }
  function database(stored: StoredDatabase & { id: number }): CatalogDatabase {
    return {
      ...stored,
      tables: bodies<CatalogTable>("table", stored.id).map(storedTable),
      functions: bodies<CatalogFunction>("function", stored.id),
    };
  }
  const [cluster] = bodies<{ policies: Policies }>("cluster", CLUSTER_ID);
  return {
    nextId: Math.max(CLUSTER_ID, ...entities.map(({ id }) => id)) + 1,
    schema: {
      policies: cluster?.policies ?? {},
      databases: bodies<StoredDatabase>("database", CLUSTER_ID).map(database),
    },
  };
}

/** Adds what follows from the ids. */
function storedTable(table: CatalogTable): CatalogTable {
  const columns = table.columns.map((column) => ({ ...column, sqlName: `c${column.id}` }));
  return { ...table, columns, sqlName: `main.${sqlTable(table)}`, system: SYSTEM_COLUMNS };
}
