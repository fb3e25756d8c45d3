import type { DuckDbConnection } from "#engines/duckdb/connection.ts";
import type { DuckDb } from "#engines/duckdb/open-duckdb.ts";
import type { Environment } from "#platform/environment.ts";
import type {
  CatalogDatabase,
  CatalogFunction,
  CatalogSchema,
  CatalogTable,
  Policies,
} from "./catalog-schema.ts";
import { withDatabase, withFunction, withTable, without } from "./edit-schema.ts";
import { createLock, createLocks, type Lock } from "./locks.ts";
import {
  clusterEntity,
  createTables,
  databaseEntity,
  functionEntity,
  loadSchema,
  removeEntity,
  storeEntity,
  tableEntity,
} from "./stored-entities.ts";
import { ticksOf } from "./ticks.ts";

export interface CatalogOptions {
  readonly sql: DuckDb;
  readonly environment: Environment;
  /** This database always exists. */
  readonly defaultDatabase: string;
}

/** What databases hold, kept in the SQL engine beside the data. */
export interface Catalog {
  readonly sql: DuckDb;
  readonly environment: Environment;
  readonly defaultDatabase: string;
  /** All that is committed now; a new object after each change. */
  readonly schema: () => CatalogSchema;
  /** Whoever ingests into a table shares its lock; whoever changes the table has it alone. */
  readonly lockOf: (tableId: number) => Lock;
  /** All of `work` or nothing, one change after the other; durable when it resolves. */
  readonly change: <T>(work: (change: CatalogChange) => Promise<T>) => Promise<T>;
  /** As `change`, alone with the tables that `choose` finds. */
  readonly changeTables: <T>(
    choose: (schema: CatalogSchema) => readonly CatalogTable[],
    work: (change: CatalogChange) => Promise<T>,
  ) => Promise<T>;
}

/** A change under way; nobody else sees it yet. */
export interface CatalogChange {
  readonly connection: DuckDbConnection;
  readonly schema: () => CatalogSchema;
  readonly nextId: () => number;
  /** Ticks. */
  readonly now: bigint;
  readonly putCluster: (policies: Policies) => Promise<void>;
  readonly putDatabase: (database: CatalogDatabase) => Promise<void>;
  readonly putTable: (databaseId: number, table: CatalogTable) => Promise<void>;
  readonly putFunction: (databaseId: number, item: CatalogFunction) => Promise<void>;
  /** Forgets a database, table or function; what it holds is the caller's to drop. */
  readonly remove: (id: number) => Promise<void>;
}

/** Loads the catalogue. */
export async function loadCatalog(options: CatalogOptions): Promise<Catalog> {
  const { sql, environment, defaultDatabase } = options;
  const stored = await withConnection(sql, async (connection) => {
    await createTables(connection);
    return await loadSchema(connection);
  });
  let { schema, nextId } = stored;
  const changes = createLock();
  const lockOf = createLocks();

  async function change<T>(work: (change: CatalogChange) => Promise<T>): Promise<T> {
    using held = new DisposableStack();
    held.use(await changes.exclusive());
    return await withConnection(sql, async (connection) => {
      let changed = schema;
      const result = await connection.transaction(() =>
        work({
          connection,
          now: ticksOf(environment.now()),
          nextId: () => (nextId += 1) - 1,
          schema: () => changed,
          ...editing(connection, (edit) => (changed = edit(changed))),
        }),
      );
      schema = changed;
      return result;
    });
  }

  async function changeTables<T>(
    choose: (schema: CatalogSchema) => readonly CatalogTable[],
    work: (change: CatalogChange) => Promise<T>,
  ): Promise<T> {
    // Whoever waits for a lock may find that its name means another table by then.
    for (;;) {
      const ids = idsOf(choose(schema));
      using held = new DisposableStack();
      for (const id of ids) held.use(await lockOf(id).exclusive());
      const answer = await change(async (started) => {
        if (idsOf(choose(started.schema())).join() !== ids.join()) return undefined;
        return { result: await work(started) };
      });
      if (answer !== undefined) return answer.result;
    }
  }

  return {
    sql,
    environment,
    defaultDatabase,
    schema: () => schema,
    lockOf,
    change,
    changeTables,
  };
}

/** Runs statements of the catalogue, which wait behind no query. */
export async function withConnection<T>(
  sql: DuckDb,
  work: (connection: DuckDbConnection) => Promise<T>,
): Promise<T> {
  const { signal } = new AbortController();
  await using connection = await sql.connect({ signal, lane: "management" });
  return await work(connection);
}

/** Ids in ascending order: locks taken in one order cannot wait for each other in a circle. */
function idsOf(tables: readonly CatalogTable[]): readonly number[] {
  return [...new Set(tables.map(({ id }) => id))].toSorted((a, b) => a - b);
}

/** Each edit is stored and shown to what follows in the same change. */
function editing(
  connection: DuckDbConnection,
  show: (edit: (schema: CatalogSchema) => CatalogSchema) => CatalogSchema,
) {
  return {
    async putCluster(policies: Policies) {
      await storeEntity(connection, clusterEntity(show((schema) => ({ ...schema, policies }))));
    },
    async putDatabase(database: CatalogDatabase) {
      show((schema) => withDatabase(schema, database));
      await storeEntity(connection, databaseEntity(database));
    },
    async putTable(databaseId: number, table: CatalogTable) {
      show((schema) => withTable(schema, databaseId, table));
      await storeEntity(connection, tableEntity(databaseId, table));
    },
    async putFunction(databaseId: number, item: CatalogFunction) {
      show((schema) => withFunction(schema, databaseId, item));
      await storeEntity(connection, functionEntity(databaseId, item));
    },
    async remove(id: number) {
      show((schema) => without(schema, id));
      await removeEntity(connection, id);
    },
  };
}
