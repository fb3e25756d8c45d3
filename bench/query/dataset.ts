import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { openDuckDb, type DuckDb } from "#engines/duckdb/open-duckdb.ts";
import { openKql, type Kql } from "#engines/kql/kql.ts";
import { runtimeFunctions } from "#engines/kql/runtime/functions.ts";
import type { ClusterSchema, StoredColumn } from "#engines/kql/types.ts";

export const DATABASE = "db";

const COLUMNS: readonly StoredColumn[] = [
  { name: "t", type: "datetime", sqlName: "c0" },
  { name: "id", type: "long", sqlName: "c1" },
  { name: "host", type: "string", sqlName: "c2" },
  { name: "verb", type: "string", sqlName: "c3" },
  { name: "v", type: "real", sqlName: "c4" },
  { name: "d", type: "dynamic", sqlName: "c5" },
];

/**
 * Rows like those of a request log, 10 ms apart from 2024-01-01 on: 500 hosts, four verbs, and
 * reals that are quarters, so that their sums are exact in whatever order they are added.
 */
function rowsSql(rows: number): string {
  return `create table rows as select
    638396640000000000 + i * 100000 as c0,
    i as c1,
    'host' || (hash(i) % 500) as c2,
    ['GET', 'POST', 'PUT', 'DELETE'][1 + (hash(i + 7) % 4)::int] as c3,
    (hash(i * 3) % 4000)::double / 4 as c4,
    '{"a":' || (i % 100) || ',"b":"x' || (i % 7) || '"}' as c5
    from range(${rows}) as r(i)`;
}

export interface Dataset extends AsyncDisposable {
  readonly sql: DuckDb;
  readonly kql: Kql;
  readonly schema: ClusterSchema;
}

/** A database file of generated rows as table `T`, opened as the query service does. */
export async function createDataset(parent: string, rows: number): Promise<Dataset> {
  const folder = await mkdtemp(join(parent, "query-"));
  const sql = await openDuckDb({
    location: { file: join(folder, "rows.duckdb") },
    landingDir: join(folder, "landing"),
    tempDir: join(folder, "temporary"),
    threads: availableParallelism(),
    memoryLimit: "4GB",
    maxQueries: 4,
    maxQueued: 16,
    functions: runtimeFunctions,
  });
  {
    await using connection = await sql.connect(unlimited());
    await connection.run(rowsSql(rows));
    await connection.run("checkpoint");
  }
  return {
    sql,
    kql: openKql({ sql, functions: runtimeFunctions }),
    schema: schemaOf(),
    async [Symbol.asyncDispose]() {
      await sql.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A new object each time, for which no plan is known. */
export function schemaOf(): ClusterSchema {
  const about = { folder: "", docString: "" };
  const table = { name: "T", sqlName: "rows", columns: COLUMNS, ...about };
  return {
    databases: [{ name: DATABASE, prettyName: "", tables: [table], functions: [] }],
  };
}

export function unlimited() {
  return { signal: new AbortController().signal, lane: "query" } as const;
}
