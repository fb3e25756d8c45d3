import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConnectOptions } from "#engines/kql/sql-engine.ts";
import { openDuckDb, type DuckDb, type DuckDbOptions } from "./open-duckdb.ts";

export interface TestDuckDb extends AsyncDisposable {
  readonly sql: DuckDb;
  readonly folder: string;
}

/** A database in memory (or `query.duckdb` in `folder`) with small limits, and its folders. */
export async function testDuckDb(options: Partial<DuckDbOptions> = {}): Promise<TestDuckDb> {
  const folder = await mkdtempDisposable(join(tmpdir(), "atoll-duckdb-"));
  const sql = await openDuckDb({
    location: "memory",
    landingDir: join(folder.path, "landing"),
    tempDir: join(folder.path, "temporary"),
    threads: 2,
    memoryLimit: "512MB",
    maxQueries: 4,
    maxQueued: 4,
    functions: [],
    ...options,
  });
  return {
    sql,
    folder: folder.path,
    async [Symbol.asyncDispose]() {
      await sql.stop();
      await folder.remove();
    },
  };
}

/** For requests that nobody ends early. */
export const patient: ConnectOptions = { signal: new AbortController().signal, lane: "query" };
