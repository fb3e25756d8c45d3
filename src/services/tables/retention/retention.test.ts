import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { SET, startTables, TABLE, type TestTables } from "../tables.fixture.ts";

const target = (id: string) => ({ "@odata.id": `${SET}(${id})` });

function fetchXml(datasource: string, filter = ""): string {
  const source = datasource === "" ? "" : ` datasource="${datasource}"`;
  const xml = `<fetch${source}><entity name="${TABLE}"><all-attributes/>${filter}</entity></fetch>`;
  return `/${SET}?fetchXml=${encodeURIComponent(xml)}`;
}

async function ids(tables: TestTables, path: string): Promise<unknown[]> {
  const { json } = await tables.ask("GET", path);
  return (json["value"] as Record<string, unknown>[]).map((row) => row[`${TABLE}id`]);
}

suite("rows that are put away for the long term", () => {
  test("are gone from ordinary queries, and are read when they are asked for", async () => {
    await using tables = await startTables();
    const [kept, live] = [await tables.interaction(), await tables.interaction()];
    const body = { Target: target(kept) };
    assert.equal((await tables.ask("POST", "/Retain", { body })).status, 204);
    assert.deepEqual(await ids(tables, `/${SET}`), [live]);
    assert.deepEqual(await ids(tables, fetchXml("")), [live]);
    assert.deepEqual(await ids(tables, fetchXml("retained")), [kept]);
    const change = { body: { svc_topic: 2 }, headers: { "if-match": "*" } };
    assert.equal((await tables.ask("PATCH", `/${SET}(${kept})`, change)).status, 404);
    assert.equal((await tables.ask("DELETE", `/${SET}(${kept})`)).status, 404);
  });

  test("come back until they are purged, and never afterwards", async () => {
    await using tables = await startTables();
    const id = await tables.interaction();
    const body = { Target: target(id) };
    const roll = () => tables.ask("POST", "/RollbackRetain", { body });
    await tables.ask("POST", "/Retain", { body });
    assert.equal((await roll()).status, 204);
    assert.deepEqual(await ids(tables, `/${SET}`), [id]);
    await tables.ask("POST", "/Retain", { body });
    const purge = { EntityName: TABLE, MaxVersionToPurge: Number.MAX_SAFE_INTEGER };
    const purged = await tables.ask("POST", "/PurgeRetainedContent", { body: purge });
    const { "@odata.context": _context, ...result } = purged.json;
    assert.deepEqual(result, {
      EntityCountCollection: { Count: 1, Keys: [TABLE], Values: [1] },
      HasMoreRecords: false,
    });
    const refused = await roll();
    assert.deepEqual([refused.status, refused.code], [400, "0x80040203"]);
    assert.deepEqual(await ids(tables, fetchXml("retained")), [id]);
  });

  test("are put away in bulk, by a query and page by page", async () => {
    await using tables = await startTables();
    for (const svc_topic of [1, 2, 2, 2]) await tables.interaction({ svc_topic });
    const filter = '<filter><condition attribute="svc_topic" operator="eq" value="2"/></filter>';
    const FetchXml = `<fetch><entity name="${TABLE}">${filter}</entity></fetch>`;
    const body = { EntityName: TABLE, FetchXml, PageSize: 2 };
    const more = async () =>
      (await tables.ask("POST", "/BulkRetain", { body })).json["HasMoreRecords"];
    assert.deepEqual([await more(), await more()], [true, false]);
    assert.equal((await ids(tables, `/${SET}`)).length, 1);
    assert.equal((await ids(tables, fetchXml("retained", filter))).length, 3);
  });

  test("are described by a query that can be checked before", async () => {
    await using tables = await startTables();
    const check = async (FetchXml: string) => {
      const { json } = await tables.ask("POST", "/ValidateRetentionConfig", { body: { FetchXml } });
      return [json["IsValidationSuccessful"], json["ErrorMessage"]];
    };
    assert.deepEqual(await check(`<fetch><entity name="${TABLE}"/></fetch>`), [true, ""]);
    assert.deepEqual(await check('<fetch><entity name="opportunity"/></fetch>'), [
      false,
      "opportunity does not support long-term retention.",
    ]);
    const [isGood, message] = await check("<fetch><entity");
    assert.deepEqual([isGood, message], [false, "The FetchXML cannot be read at position 7."]);
  });
});

suite("a deleted row", () => {
  test("is restored with the rows that went with it", async () => {
    await using tables = await startTables();
    const parent = await tables.create("opportunities", { name: "o" });
    const url = `/opportunities(${parent})`;
    const id = await tables.interaction({ "svc_opportunity@odata.bind": url });
    assert.equal((await tables.ask("DELETE", url)).status, 204);
    assert.deepEqual(await ids(tables, `/${SET}`), []);
    const body = { Target: { "@odata.id": url } };
    assert.equal((await tables.ask("POST", "/Restore", { body })).status, 204);
    assert.deepEqual(await ids(tables, `/${SET}`), [id]);
    assert.equal((await tables.ask("GET", url)).json["name"], "o");
    assert.equal((await tables.ask("POST", "/Restore", { body })).status, 404);
  });
});
