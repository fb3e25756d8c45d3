import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { testDuckDb } from "#engines/duckdb/duckdb.fixture.ts";
import { realEnvironment } from "#platform/environment.ts";
import { insert, LOGS, LONG, testCatalog } from "./catalog.fixture.ts";
import { databaseOf, type CatalogSchema } from "./catalog-schema.ts";
import { alterColumnType } from "./columns.ts";
import { createDatabase, dropDatabase, renameDatabase, setPrettyName } from "./databases.ts";
import { describeFunction, dropFunctions, putFunction } from "./functions.ts";
import { putMapping } from "./mappings.ts";
import { openCatalog } from "./open-catalog.ts";
import { setPolicy } from "./policies.ts";
import { createTable } from "./tables.ts";

suite("databases", () => {
  test("are created once in whatever case, renamed, and dropped with what they hold", async () => {
    await using opened = await testCatalog();
    const { catalog } = opened;
    await createDatabase(catalog, { name: "Two", prettyName: "Second" });
    await assert.rejects(createDatabase(catalog, { name: "TWO" }), {
      kind: "already-exists",
      message: "Database 'Two' already exists.",
    });
    assert.equal((await createDatabase(catalog, { name: "two", ifNotExists: true })).name, "Two");
    await createTable(catalog, { ...LOGS, database: "Two" });
    await setPrettyName(catalog, { name: "Two", prettyName: "2" });
    await renameDatabase(catalog, { name: "Two", newName: "Three" });
    assert.equal(databaseOf(catalog.schema(), "three").tables.length, 1);
    assert.equal(await dropDatabase(catalog, { name: "Three" }), true);
    assert.equal(await dropDatabase(catalog, { name: "Three", ifExists: true }), false);
    const names = catalog.schema().databases.map(({ name }) => name);
    assert.deepEqual(names, ["db"]);
    const left = await opened.rows(
      "select count(*) from duckdb_tables() where schema_name = 'main'",
      LONG,
    );
    assert.deepEqual(left, [[0n]]);
  });

  test("have names that the language can say, and the default one stays", async () => {
    await using opened = await testCatalog();
    const { catalog } = opened;
    for (const name of ["", "a'b", " a", "x".repeat(261), 'a"; drop table t']) {
      await assert.rejects(createDatabase(catalog, { name }), { kind: "invalid-name" });
    }
    await assert.rejects(dropDatabase(catalog, { name: "DB" }), {
      message: "The default database 'DB' cannot be dropped.",
    });
    await assert.rejects(dropDatabase(catalog, { name: "none" }), { kind: "not-found" });
  });
});

suite("functions", () => {
  const f = { database: "db", name: "f", parameters: "(x:long)", body: "{ Logs | take x }" };

  test("are created, altered, described and dropped", async () => {
    await using opened = await testCatalog();
    const { catalog } = opened;
    await assert.rejects(putFunction(catalog, f, "alter"), { kind: "not-found" });
    const first = await putFunction(catalog, { ...f, folder: "a" }, "create");
    await assert.rejects(putFunction(catalog, f, "create"), { kind: "already-exists" });
    const other = { ...f, body: "{ Logs }" };
    assert.equal(await putFunction(catalog, other, "create-if-not-exists"), first);
    await putFunction(catalog, other, "create-or-alter");
    const described = await describeFunction(catalog, { ...f, docString: "d" });
    const { id: _id, ...rest } = described;
    const { database: _database, ...expected } = other;
    assert.deepEqual(rest, { ...expected, folder: "a", docString: "d" });
    await dropFunctions(catalog, { database: "db", names: ["f"] });
    assert.deepEqual(databaseOf(catalog.schema(), "db").functions, []);
  });
});

suite("a restart", () => {
  test("finds everything again", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-catalog-"));
    const location = { file: join(folder.path, "query.duckdb") };
    const options = { environment: realEnvironment, defaultDatabase: "db" };
    let before: CatalogSchema | undefined;
    {
      await using duckdb = await testDuckDb({ location });
      const catalog = await openCatalog({ sql: duckdb.sql, ...options });
      await createTable(catalog, { ...LOGS, docString: 'it\'s "quoted"\n' });
      await alterColumnType(catalog, { ...LOGS, column: "text", type: "real" });
      const place = { database: "db", table: "Logs" };
      await putMapping(catalog, { ...place, kind: "csv", name: "m", text: "[]" }, "create");
      const f = { database: "db", name: "f", parameters: "()", body: "{ 1 }" };
      await putFunction(catalog, f, "create");
      await setPolicy(catalog, {}, { name: "caching", policy: { a: 1 } });
      await setPolicy(catalog, place, { name: "retention", policy: { SoftDeletePeriod: "1d" } });
      await insert(catalog, "(null, 1, 5, 'a', 7)");
      before = catalog.schema();
    }
    await using duckdb = await testDuckDb({ location });
    const catalog = await openCatalog({ sql: duckdb.sql, ...options });
    assert.deepEqual(catalog.schema(), before);
    const next = await createTable(catalog, { ...LOGS, table: "Next" });
    assert.equal(next.id, 4);
  });
});
