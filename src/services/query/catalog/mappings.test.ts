import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { LOGS, testCatalog } from "./catalog.fixture.ts";
import { databaseOf, tableOf } from "./catalog-schema.ts";
import { dropMapping, findMapping, putMapping } from "./mappings.ts";
import { createTable } from "./tables.ts";

suite("mappings", () => {
  const m = { database: "db", table: "Logs", kind: "json", name: "m" } as const;
  const text = '[{"column":"At","Properties":{"Path":"$.t"}}]';

  test("are kept for a table or a whole database", async () => {
    await using opened = await testCatalog();
    const { catalog } = opened;
    await createTable(catalog, LOGS);
    await putMapping(catalog, { ...m, table: undefined, text: "[]" }, "create");
    await putMapping(catalog, { ...m, text }, "create");
    await assert.rejects(putMapping(catalog, { ...m, text }, "create"), { kind: "already-exists" });
    const database = databaseOf(catalog.schema(), "db");
    const table = tableOf(database, "Logs");
    assert.equal(findMapping(database, table, m).text, text);
    await dropMapping(catalog, m);
    const after = databaseOf(catalog.schema(), "db");
    assert.equal(findMapping(after, tableOf(after, "Logs"), m).text, "[]");
    await assert.rejects(dropMapping(catalog, m), { kind: "not-found" });
  });

  test("say what is wrong with them", async () => {
    await using opened = await testCatalog();
    await createTable(opened.catalog, LOGS);
    const wrong = {
      "{}": "The mapping is not a JSON array.",
      '[{"column":"a"}]': "The mapping has no Path and no ConstValue for column 'a'.",
      '[{"column":"a","path":"$.a","datatype":"uint"}]':
        "The mapping gives column 'a' the unknown type 'uint'.",
      '[{"column":"a","path":"$.a","transform":"Upper"}]':
        "The mapping names the unknown transform 'Upper' for 'a'.",
    };
    for (const [bad, message] of Object.entries(wrong)) {
      await assert.rejects(putMapping(opened.catalog, { ...m, text: bad }, "create"), { message });
    }
  });
});
