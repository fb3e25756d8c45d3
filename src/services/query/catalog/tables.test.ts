import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Catalog } from "./catalog.ts";
import { insert, LOGS, LONG, tableNamed, testCatalog } from "./catalog.fixture.ts";
import { databaseOf } from "./catalog-schema.ts";
import { alterColumnType, describeColumns, dropColumns, renameColumns } from "./columns.ts";
import {
  alterMergeTable,
  alterTable,
  clearTable,
  createMergeTable,
  createTable,
  describeTable,
  dropTables,
  renameTables,
} from "./tables.ts";

/** The columns of a table as the language names them. */
function columns(catalog: Catalog) {
  return tableNamed(catalog).columns.map(({ name, type, sqlName }) => `${name}:${type}=${sqlName}`);
}

function tableNames(catalog: Catalog) {
  return databaseOf(catalog.schema(), "db").tables.map(({ name }) => name);
}

suite("tables", () => {
  test("keep columns apart that differ in case only", async () => {
    await using opened = await testCatalog();
    await createTable(opened.catalog, LOGS);
    assert.deepEqual(columns(opened.catalog), ["At:datetime=c0", "Text:string=c1", "text:long=c2"]);
  });

  test("stay as they are when created again, and refuse wrong columns", async () => {
    await using opened = await testCatalog();
    const { catalog } = opened;
    const first = await createTable(catalog, LOGS);
    const again = await createTable(catalog, { ...LOGS, columns: LONG });
    assert.equal(again, first);
    const twice = { ...LOGS, table: "T", columns: [...LONG, ...LONG] };
    await assert.rejects(createTable(catalog, twice), {
      kind: "invalid-schema",
      message: "Column 'x' is defined more than once.",
    });
    await assert.rejects(createTable(catalog, { ...LOGS, table: "T", columns: [] }), {
      message: "A table must have at least one column.",
    });
    await assert.rejects(createTable(catalog, { ...LOGS, database: "none" }), {
      message: "Database 'none' does not exist.",
    });
  });

  test("grow by merging, and change to exactly what is asked", async () => {
    await using opened = await testCatalog();
    const { catalog } = opened;
    await createTable(catalog, LOGS);
    await insert(catalog, "(null, 1, 5, 'a', 7)");
    const more = [
      { name: "text", type: "long" },
      { name: "Note", type: "string" },
    ] as const;
    await createMergeTable(catalog, { ...LOGS, columns: more, docString: "d" });
    assert.deepEqual(columns(catalog).at(-1), "Note:string=c3");
    assert.deepEqual(await opened.rows("select length(c3) from main.t2", LONG), [[0n]]);
    const other = { ...LOGS, columns: [{ name: "text", type: "real" }] } as const;
    await assert.rejects(alterMergeTable(catalog, other), {
      message: "Column 'text' is of type long and cannot become real here.",
    });
    await alterTable(catalog, { ...LOGS, columns: [...more.toReversed(), ...LONG] });
    assert.deepEqual(columns(catalog), ["Note:string=c3", "text:long=c2", "x:long=c4"]);
    assert.deepEqual(await opened.rows("select c2 from main.t2", LONG), [[7n]]);
    await assert.rejects(opened.rows("select c0 from main.t2", LONG), /c0/u);
    const made = await createMergeTable(catalog, { ...LOGS, table: "New", folder: "f" });
    assert.equal(made.folder, "f");
  });

  test("are renamed all at once, described, cleared and dropped", async () => {
    await using opened = await testCatalog();
    const { catalog } = opened;
    for (const table of ["Logs", "B"]) await createTable(catalog, { ...LOGS, table });
    const untouched = tableNamed(catalog, "B");
    await describeTable(catalog, { ...LOGS, folder: "f", docString: "it's" });
    assert.equal(tableNamed(catalog, "B"), untouched);
    await insert(catalog, "(null, 1, 5, 'a', 7)");
    await clearTable(catalog, LOGS);
    assert.deepEqual(await opened.rows("select count(*) from main.t2", LONG), [[0n]]);
    const swap = [
      { from: "Logs", to: "B" },
      { from: "B", to: "Logs" },
    ];
    await renameTables(catalog, "db", swap);
    assert.deepEqual(tableNames(catalog), ["B", "Logs"]);
    await assert.rejects(renameTables(catalog, "db", [{ from: "B", to: "Logs" }]), {
      message: "Table 'Logs' already exists.",
    });
    const gone = { database: "db", tables: ["B", "none"] };
    await assert.rejects(dropTables(catalog, gone), {
      message: "Table 'none' does not exist in database 'db'.",
    });
    await dropTables(catalog, { ...gone, ifExists: true });
    assert.deepEqual(tableNames(catalog), ["Logs"]);
  });

  test("wait for ingestion that runs, and ingestion for them", async () => {
    await using opened = await testCatalog();
    const { catalog } = opened;
    const { id } = await createTable(catalog, LOGS);
    const running = await catalog.lockOf(id).shared();
    const order: string[] = [];
    const dropping = dropTables(catalog, { database: "db", tables: ["Logs"] });
    const changed = dropping.then(() => order.push("dropped"));
    const later = catalog.lockOf(id).shared();
    await createTable(catalog, { ...LOGS, table: "Other" });
    order.push("ingested");
    running[Symbol.dispose]();
    await changed;
    (await later)[Symbol.dispose]();
    assert.deepEqual(order, ["ingested", "dropped"]);
  });
});

suite("columns", () => {
  test("are dropped, renamed and described", async () => {
    await using opened = await testCatalog();
    const { catalog } = opened;
    await createTable(catalog, LOGS);
    const swap = [
      { from: "Text", to: "text" },
      { from: "text", to: "Text" },
    ];
    await renameColumns(catalog, LOGS, swap);
    await dropColumns(catalog, { ...LOGS, columns: ["At"] });
    assert.deepEqual(columns(catalog), ["text:string=c1", "Text:long=c2"]);
    const described = await describeColumns(catalog, { ...LOGS, docStrings: { text: "d" } });
    assert.deepEqual(
      described.columns.map(({ docString }) => docString),
      ["d", ""],
    );
    await assert.rejects(dropColumns(catalog, { ...LOGS, columns: ["none"] }), {
      message: "Column 'none' does not exist in table 'Logs'.",
    });
    await assert.rejects(dropColumns(catalog, { ...LOGS, columns: ["text", "Text"] }), {
      message: "A table must have at least one column.",
    });
  });

  test("that get another type are null in the rows so far", async () => {
    await using opened = await testCatalog();
    const { catalog } = opened;
    await createTable(catalog, LOGS);
    await insert(catalog, "(null, 1, 5, 'a', 7)");
    await alterColumnType(catalog, { ...LOGS, column: "text", type: "real" });
    assert.deepEqual(columns(catalog).at(-1), "text:real=c3");
    assert.deepEqual(await opened.rows("select c3 from main.t2", LONG), [[null]]);
  });
});
