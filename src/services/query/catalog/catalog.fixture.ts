import { testDuckDb } from "#engines/duckdb/duckdb.fixture.ts";
import type { DuckDbOptions } from "#engines/duckdb/open-duckdb.ts";
import type { KqlColumn, KqlValue } from "#engines/kql/types.ts";
import { realEnvironment, type Environment } from "#platform/environment.ts";
import { withConnection, type Catalog } from "./catalog.ts";
import { databaseOf, tableOf, type CatalogTable } from "./catalog-schema.ts";
import { openCatalog } from "./open-catalog.ts";

type Row = readonly KqlValue[];

export interface TestCatalog extends AsyncDisposable {
  readonly catalog: Catalog;
  readonly rows: (sql: string, columns: readonly KqlColumn[]) => Promise<readonly Row[]>;
}

/** The catalogue of an empty database, with a database named `db`. */
export async function testCatalog({
  environment = realEnvironment,
  ...options
}: Partial<DuckDbOptions & { environment: Environment }> = {}): Promise<TestCatalog> {
  const duckdb = await testDuckDb(options);
  const { sql } = duckdb;
  const catalog = await openCatalog({ sql, environment, defaultDatabase: "db" });
  return {
    catalog,
    async rows(query, columns) {
      const chunks = await withConnection(sql, (connection) =>
        Array.fromAsync(connection.rows(query, columns)),
      );
      return chunks.flat();
    },
    [Symbol.asyncDispose]: () => duckdb[Symbol.asyncDispose](),
  };
}

export const LOGS = {
  database: "db",
  table: "Logs",
  columns: [
    { name: "At", type: "datetime" },
    { name: "Text", type: "string" },
    { name: "text", type: "long" },
  ],
} as const;

/** For the rows of a query that gives one integer. */
export const LONG = [{ name: "x", type: "long" }] as const;

export function tableNamed(catalog: Catalog, name = "Logs"): CatalogTable {
  return tableOf(databaseOf(catalog.schema(), "db"), name);
}

/** Inserts rows into `Logs` behind the back of the catalogue: `(extent, ingested, c0, c1, c2)`. */
export async function insert(catalog: Catalog, values: string): Promise<void> {
  const { sqlName } = tableNamed(catalog);
  await withConnection(catalog.sql, (connection) =>
    connection.run(`insert into ${sqlName} values ${values}`),
  );
}
