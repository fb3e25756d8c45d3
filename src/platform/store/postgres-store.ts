import {
  CamelCasePlugin,
  CompiledQuery,
  Kysely,
  PostgresDialect,
  sql,
  type Transaction,
} from "kysely";
import type { DatabaseConnection, PostgresPool } from "kysely";
import { migrate } from "./migrations.ts";
import { createPostgresPool } from "./postgres-pool.ts";
import { readingOnly } from "./reading.ts";
import type { ColumnTypes, Migration, Store, StoreLocation } from "./store.ts";
import { createWriteQueue } from "./write-queue.ts";

const COLUMN_TYPES: ColumnTypes = { text: "text", integer: "bigint", bytes: "bytea" };

/** Names that mean the same with and without quotes, and fit into an identifier. */
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

type PostgresLocation = Extract<StoreLocation, { kind: "postgres" }>;

/** A store in one schema of a database; the schema is made if it does not exist. */
export async function openPostgresStore<Tables>(
  location: PostgresLocation,
  migrations: readonly Migration[],
): Promise<Store<Tables>> {
  const { url, schema } = location;
  if (!SCHEMA_NAME.test(schema)) {
    throw new TypeError(`The schema name ${JSON.stringify(schema)} must match ${SCHEMA_NAME}.`);
  }
  const pool = createPostgresPool(url);
  const db = kyselyOn<Tables>(pool, schema);
  const queue = createWriteQueue();
  try {
    await createSchema(db, schema);
    await migrate(kyselyOn<unknown>(pool, schema), {
      where: `Schema ${schema}`,
      migrations,
      types: COLUMN_TYPES,
      lock: (transaction) => lockSchema(transaction, schema),
    });
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    db: db.withPlugin(readingOnly(queue.inside)),
    write: (work) =>
      queue.run(
        () => writeLocked(db, schema, work),
        async () => {},
      ),
    close: async () => {
      await queue.close();
      await pool.end();
    },
  };
}

function kyselyOn<Tables>(pool: PostgresPool, schema: string): Kysely<Tables> {
  const dialect = new PostgresDialect({
    pool,
    onCreateConnection: (connection) => prepareSession(connection, schema),
  });
  return new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] });
}

/** A server may be set to acknowledge commits before they are on disk; a store never is. */
async function prepareSession(connection: DatabaseConnection, schema: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(`set search_path to "${schema}"`));
  await connection.executeQuery(
    CompiledQuery.raw(
      "select set_config('synchronous_commit', 'on', false) " +
        "where current_setting('synchronous_commit') = 'off'",
    ),
  );
}

async function createSchema<Tables>(db: Kysely<Tables>, schema: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // Two processes that create a schema at the same moment would refuse each other.
    await lockSchema(transaction, schema);
    await sql`create schema if not exists ${sql.id(schema)}`.execute(transaction);
  });
}

function writeLocked<Tables, Result>(
  db: Kysely<Tables>,
  schema: string,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (transaction) => {
    await lockSchema(transaction, schema);
    return work(transaction);
  });
}

/** One writer per schema across all processes, as in a file: a look before a leap holds. */
async function lockSchema<Tables>(transaction: Transaction<Tables>, schema: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`atoll/${schema}`}, 0))`.execute(
    transaction,
  );
}
