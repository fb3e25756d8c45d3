import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { KqlError } from "#engines/kql/kql-error.ts";
import { runtimeFunction } from "#engines/kql/runtime/runtime-function.ts";
import type { KqlColumn, KqlValue } from "#engines/kql/types.ts";
import type { DuckDbConnection } from "./connection.ts";
import { patient, testDuckDb } from "./duckdb.fixture.ts";

const COLUMNS: readonly KqlColumn[] = [
  { name: "b", type: "bool" },
  { name: "i", type: "int" },
  { name: "l", type: "long" },
  { name: "r", type: "real" },
  { name: "d", type: "decimal" },
  { name: "s", type: "string" },
  { name: "t", type: "datetime" },
  { name: "p", type: "timespan" },
  { name: "g", type: "guid" },
  { name: "j", type: "dynamic" },
];
const FULL: readonly KqlValue[] = [
  true,
  -5,
  9_223_372_036_854_775_807n,
  0.1,
  "-12345678901234567890.000000000000000001",
  "łódź",
  621_355_968_000_000_001n,
  -7n,
  "74be27de-1e4e-49d9-b579-fe0b331d3642",
  { a: [1, 12_345_678_901_234_567_890n, null] },
];
const EMPTY: readonly KqlValue[] = [null, null, null, null, null, "", null, null, null, null];

const HEAVY = "select sum(a.i * b.i) from range(1000000) a(i), range(1000000) b(i)";

async function rows(connection: DuckDbConnection, sql: string, columns: readonly KqlColumn[]) {
  return (await Array.fromAsync(connection.rows(sql, columns))).flat();
}

async function* once<T>(item: T) {
  yield item;
}

suite("a connection", () => {
  test("takes and gives back values of every type, and nulls", async () => {
    await using duckdb = await testDuckDb();
    await using connection = await duckdb.sql.connect(patient);
    await connection.createTemporary('"my ""table"', COLUMNS, once([FULL, EMPTY]));
    const found = await rows(connection, 'select * from "my ""table"', COLUMNS);
    assert.deepEqual(found, [FULL, EMPTY]);
  });

  test("gives rows that SQL made as text", async () => {
    await using duckdb = await testDuckDb();
    await using connection = await duckdb.sql.connect(patient);
    const texts = connection.texts("select json_array(i, 'a') from range(3) t(i)");
    assert.deepEqual((await Array.fromAsync(texts)).flat(), ['[0,"a"]', '[1,"a"]', '[2,"a"]']);
  });

  test("computes little further than what has been taken", async () => {
    let calls = 0n;
    const count = {
      ...runtimeFunction("count", [], "long", () => (calls += 1n)),
      isVolatile: true,
    };
    await using duckdb = await testDuckDb({ functions: [count] });
    await using connection = await duckdb.sql.connect(patient);
    const texts = connection.texts("select json_array(i, kql_count_0()) from range(5000000) t(i)");
    const reading = texts[Symbol.asyncIterator]();
    assert.equal((await reading.next()).done, false);
    await using other = await duckdb.sql.connect(patient);
    await other.run("select sum(i) from range(20000000) t(i)");
    assert.ok(calls < 500_000n, `${calls} rows were made`);
    await reading.return?.();
  });

  test("forgets its temporary tables", async () => {
    await using duckdb = await testDuckDb();
    await using other = await duckdb.sql.connect(patient);
    const columns: readonly KqlColumn[] = [{ name: "x", type: "int" }];
    {
      await using connection = await duckdb.sql.connect(patient);
      await connection.createTemporary("t", columns, once([[1]]));
      assert.deepEqual(await rows(connection, "select c0 from t", columns), [[1]]);
    }
    await assert.rejects(rows(other, "select c0 from t", columns), /Table with name t does not/u);
  });

  test("fills a temporary table from its own rows", async () => {
    await using duckdb = await testDuckDb();
    await using connection = await duckdb.sql.connect(patient);
    const columns: readonly KqlColumn[] = [{ name: "x", type: "long" }];
    const source = connection.rows("select i from range(300000) t(i)", columns);
    await connection.createTemporary("t", columns, source);
    const [[count, sum] = []] = await rows(connection, "select count(*), sum(c0)::bigint from t", [
      { name: "count", type: "long" },
      { name: "sum", type: "long" },
    ]);
    assert.deepEqual([count, sum], [300_000n, 44_999_850_000n]);
  });

  test("keeps all of a transaction or nothing", async () => {
    await using duckdb = await testDuckDb();
    await using connection = await duckdb.sql.connect(patient);
    const columns: readonly KqlColumn[] = [{ name: "x", type: "long" }];
    const target = { schema: "main", table: "t", types: ["long"] as const };
    await connection.run("create table t (c0 bigint)");
    const failing = connection.transaction(async () => {
      await connection.append(target, [[[1n], [2n]]]);
      throw new Error("changed my mind");
    });
    await assert.rejects(failing, /changed my mind/u);
    assert.deepEqual(await rows(connection, "select * from t", columns), []);
    await connection.transaction(() => connection.append(target, [[[3n]], [[4n]]]));
    assert.deepEqual(await rows(connection, "select * from t", columns), [[3n], [4n]]);
  });
});

suite("a request that ends early", () => {
  test("is interrupted at once, with the reason", async () => {
    await using duckdb = await testDuckDb();
    const controller = new AbortController();
    await using connection = await duckdb.sql.connect({ ...patient, signal: controller.signal });
    const running = connection.run(HEAVY);
    const start = performance.now();
    controller.abort(new Error("cancelled by its user"));
    await assert.rejects(running, /cancelled by its user/u);
    assert.ok(performance.now() - start < 500);
    await assert.rejects(connection.run("select 1"), /cancelled by its user/u);
  });

  test("is ended when its connection is given back while it runs", async () => {
    await using duckdb = await testDuckDb();
    const connection = await duckdb.sql.connect(patient);
    const running = assert.rejects(connection.run(HEAVY), /Interrupted/u);
    await connection[Symbol.asyncDispose]();
    await running;
  });

  test("leaves the place to the next, who may also give up waiting", async () => {
    await using duckdb = await testDuckDb({ maxQueries: 1, maxQueued: 2 });
    const { sql } = duckdb;
    const first = await sql.connect(patient);
    const controller = new AbortController();
    const second = sql.connect({ ...patient, signal: controller.signal });
    const third = sql.connect(patient);
    await assert.rejects(sql.connect(patient), {
      name: "QueueFullError",
      message: "1 requests run and 2 wait; try again later.",
    });
    controller.abort(new Error("gave up"));
    await assert.rejects(second, /gave up/u);
    assert.deepEqual(sql.load("query"), { running: 1, waiting: 1 });
    await (await sql.connect({ ...patient, lane: "management" }))[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
    await (await third)[Symbol.asyncDispose]();
    assert.deepEqual(sql.load("query"), { running: 0, waiting: 0 });
  });
});

suite("what fails in SQL", () => {
  test("is told, also after the first rows", async () => {
    await using duckdb = await testDuckDb();
    await using connection = await duckdb.sql.connect(patient);
    const late = "select if(i < 90000, i::varchar, error('late')) from range(100000) r(i)";
    let seen = 0;
    await assert.rejects(async () => {
      for await (const chunk of connection.texts(late)) seen += chunk.length;
    }, /late/);
    assert(seen > 0);
    await assert.rejects(Array.fromAsync(connection.rows(late, [{ name: "x", type: "string" }])));
  });

  test("is told as a limit, as an error of the data, or as a wrong statement", async () => {
    await using duckdb = await testDuckDb({ memoryLimit: "20MB" });
    await using connection = await duckdb.sql.connect(patient);
    const large = "select length(list(i)) from range(20000000) t(i)";
    await assert.rejects(connection.run(large), {
      name: "KqlError",
      kind: "limit",
      code: "E_LOW_MEMORY_CONDITION",
      message: "The query needs more memory than it may have.",
    });
    await assert.rejects(connection.run("select cast('x' as bigint)"), KqlError);
    await assert.rejects(connection.run("select nothing"), { name: "SqlError" });
  });
});

suite("the lock", () => {
  test("keeps SQL away from files, extensions, other databases and settings", async () => {
    await using duckdb = await testDuckDb();
    await using connection = await duckdb.sql.connect(patient);
    const outside = [
      "select * from read_csv('/etc/passwd')",
      `select * from read_csv('${duckdb.folder}/landing/../secret.csv')`,
      `select * from read_text('${duckdb.folder}/landing2/secret.csv')`,
      "select * from glob('/etc/*')",
      "attach '/tmp/other.duckdb'",
      "install httpfs",
      "load httpfs",
      "copy (select 1) to '/tmp/leak.csv'",
      "select * from read_csv('https://localhost/x.csv')",
      "set enable_external_access = true",
      "set threads = 1",
      "reset lock_configuration",
    ];
    const refusal = /disabled (?:by|through) configuration|has been locked/u;
    for (const sql of outside) await assert.rejects(connection.run(sql), refusal, sql);
  });
});
