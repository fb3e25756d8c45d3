import { patient, testDuckDb } from "#engines/duckdb/duckdb.fixture.ts";
import { openKql, type QueryRequest } from "./kql.ts";
import { runtimeFunctions } from "./runtime/functions.ts";
import type { FetchExternal } from "./translate/translation.ts";
import type { KqlColumn, TableSchema } from "./types.ts";

/** A database of the language in memory. */
export interface TestKql extends AsyncDisposable {
  /** Each result as `name:type …` and its rows as JSON. */
  readonly results: (text: string) => Promise<readonly (readonly [string, ...unknown[]])[]>;
  /** The first result; its rows without the columns' names. */
  readonly rows: (text: string) => Promise<readonly unknown[]>;
  /** Makes a table of SQL rows, such as `values (1, 'a')`. */
  readonly addTable: (name: string, columns: readonly KqlColumn[], sql: string) => Promise<void>;
}

export async function testKql(fetchExternal?: FetchExternal): Promise<TestKql> {
  const duckdb = await testDuckDb({ functions: runtimeFunctions });
  const kql = openKql({
    sql: duckdb.sql,
    functions: runtimeFunctions,
    ...(fetchExternal === undefined ? {} : { fetchExternal }),
  });
  let tables: readonly TableSchema[] = [];

  async function results(text: string) {
    const database = { name: "db", prettyName: "", tables, functions: [] };
    const now = new Date("2024-03-10T12:00:00Z");
    const request: QueryRequest = { text, database: "db", schema: { databases: [database] }, now };
    const all: [string, ...unknown[]][] = [];
    for await (const { columns, rows } of kql.execute(
      await kql.prepare(request, patient),
      patient,
    )) {
      const head = columns.map(({ name, type }) => `${name}:${type}`).join(" ");
      const texts = (await Array.fromAsync(rows)).flat();
      all.push([head, ...texts.map((row) => decoded(row, columns))]);
    }
    return all;
  }

  return {
    results,
    async rows(text) {
      const [first] = await results(text);
      return first?.slice(1) ?? [];
    },
    async addTable(name, columns, sql) {
      await using connection = await duckdb.sql.connect(patient);
      const names = columns.map((column) => `"${column.name}"`);
      await connection.run(
        `create table "${name}" as select * from (${sql}) as t(${names.join()})`,
      );
      const stored = columns.map((column, index) => ({ ...column, sqlName: names[index] ?? "" }));
      const table = { name, columns: stored, sqlName: `"${name}"`, folder: "", docString: "" };
      tables = [...tables, table];
    },
    [Symbol.asyncDispose]: () => duckdb[Symbol.asyncDispose](),
  };
}

/** A row with the JSON that its dynamic cells hold as text. */
function decoded(text: string, columns: readonly KqlColumn[]): unknown[] {
  const cells: unknown[] = JSON.parse(text);
  return cells.map((cell, index): unknown => {
    const isJson = columns[index]?.type === "dynamic" && typeof cell === "string";
    return isJson && /^[[{]/.test(cell) ? JSON.parse(cell) : cell;
  });
}
