import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import { Pool, types, type PoolClient } from "pg";
import { storable } from "./storable.ts";

/** Writes take one connection at a time, so nearly all of these serve reads. */
const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 10_000;

const { BOOL, BYTEA, INT8, NUMERIC } = types.builtins;

/** Reads the types of Postgres as SQLite would have answered. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [INT8, wholeNumber],
  // What sum() makes of whole numbers.
  [NUMERIC, (text: string) => (text.includes(".") ? Number(text) : wholeNumber(text))],
  [BOOL, (text: string) => (text === "t" ? 1 : 0)],
  [BYTEA, (text: string) => Uint8Array.from(Buffer.from(text.slice("\\x".length), "hex"))],
]);

/** Connections that take and give the same values as those of SQLite. */
export function createPostgresPool(url: string): PostgresPool {
  const pool = new Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: { getTypeParser },
  });
  // A connection that breaks while nobody uses it is replaced by the next one asked for.
  pool.on("error", () => {});
  const known = new WeakMap<PoolClient, PostgresPoolClient>();
  return {
    connect: async () => {
      const client = await pool.connect();
      const checked = known.get(client) ?? checkedClient(client);
      known.set(client, checked);
      return checked;
    },
    end: () => pool.end(),
    options: pool.options,
  };
}

function getTypeParser(type: number, format?: "text" | "binary"): (text: string) => unknown {
  return PARSERS.get(type) ?? types.getTypeParser(type, format);
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`${text} is beyond ${Number.MAX_SAFE_INTEGER}, the largest exact number.`);
}

function checkedClient(client: PostgresPoolClient): PostgresPoolClient {
  function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query<Row>(text: string | PostgresCursor<Row>, values: readonly unknown[] = []) {
    if (typeof text !== "string") return client.query(text);
    return client.query<Row>(text, values.map(storable));
  }
  return { query, release: (destroy) => client.release(destroy) };
}
