import { join } from "node:path";
import { openDuckDb, type DuckDb } from "#engines/duckdb/open-duckdb.ts";
import { realEnvironment } from "#platform/environment.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { openCatalog } from "../catalog/open-catalog.ts";
import { createTable } from "../catalog/tables.ts";
import { createIngest } from "./ingest.ts";
import { LARGE } from "./ingestion.fixture.ts";

/** Requests under way at the same time. */
const WRITERS = 4;
/** Every so many requests one is large. */
const LARGE_EVERY = 25;
/** Rows of each request. */
export const ROWS_EACH = 3;

/** The database in a folder, with a table `T` whose first column is the number of the request. */
export async function openFolder(dir: string): Promise<{ sql: DuckDb; catalog: Catalog }> {
  const sql = await openDuckDb({
    location: { file: join(dir, "query.duckdb") },
    landingDir: join(dir, "landing"),
    tempDir: join(dir, "temporary"),
    threads: 2,
    memoryLimit: "512MB",
    maxQueries: 4,
    maxQueued: 4,
    functions: [],
  });
  const catalog = await openCatalog({ sql, environment: realEnvironment, defaultDatabase: "db" });
  const columns = [
    { name: "request", type: "long" },
    { name: "text", type: "string" },
  ] as const;
  await createTable(catalog, { database: "db", table: "T", columns });
  return { sql, catalog };
}

/** Ingests until it is killed, and prints the number of each request that was acknowledged. */
async function ingestForEver(dir: string, first: number): Promise<never> {
  const { catalog } = await openFolder(dir);
  const ingest = createIngest({ catalog, bytesMax: 1024 ** 3 });
  const { signal } = new AbortController();
  let next = first;
  async function write(): Promise<never> {
    for (;;) {
      const request = (next += 1) - 1;
      const text = `${request},some text\n`.repeat(ROWS_EACH);
      const body = bytes(request % LARGE_EVERY === 0 ? text + LARGE : text);
      await ingest({ database: "db", table: "T", format: "csv", body, signal });
      process.stdout.write(`${request}\n`);
    }
  }
  return await Promise.race(Array.from({ length: WRITERS }, write));
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const [, , dir, first] = process.argv;
if (import.meta.main && dir !== undefined) await ingestForEver(dir, Number(first));
