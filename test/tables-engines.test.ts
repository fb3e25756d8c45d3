import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { storeEngines } from "./support/stores.ts";
import { required, SET, startTables, TABLE } from "../src/services/tables/tables.fixture.ts";

suite("business tables in every store", () => {
  for (const engine of storeEngines()) {
    test(`create, change, page and delete rows ${engine.name}`, async () => {
      await using tables = await startTables({ location: await engine.location() });
      const { ask } = tables;
      const parent = await tables.create("opportunities", { name: "o", estimatedvalue: 12.5 });
      const bind = { "svc_opportunity@odata.bind": `/opportunities(${parent})` };
      const Targets = Array.from({ length: 120 }, (_, at) => ({
        ...required,
        ...bind,
        "@odata.type": `Microsoft.Dynamics.CRM.${TABLE}`,
        [TABLE]: at % 2 === 0 ? `Row ${at}` : `row ${at}`,
      }));
      const bulk = `/${SET}/Microsoft.Dynamics.CRM.CreateMultiple`;
      const made = await ask("POST", bulk, { body: { Targets } });
      const [first = ""] = made.json["Ids"] as string[];
      const changed = await ask("PATCH", `/${SET}(${first})`, {
        body: { svc_isdone: true, statecode: 1 },
        headers: { prefer: "return=representation" },
      });
      assert.deepEqual([changed.json["svc_isdone"], changed.json["statuscode"]], [true, 2]);
      const names: string[] = [];
      let link: unknown = `/${SET}?$select=${TABLE}&$orderby=${TABLE} desc`.replaceAll(" ", "%20");
      while (typeof link === "string") {
        const headers = { prefer: "odata.maxpagesize=50" };
        const { json }: { json: Record<string, unknown> } = await ask("GET", link, { headers });
        const rows = json["value"] as Record<string, unknown>[];
        names.push(...rows.map((row) => String(row[TABLE]).toLowerCase()));
        link = json["@odata.nextLink"];
      }
      assert.equal(names.length, 120);
      assert.deepEqual(
        names,
        names.toSorted((a, b) => (a < b ? 1 : -1)),
      );
      const value = await ask("GET", `/opportunities(${parent})/estimatedvalue`);
      assert.equal(value.json["value"], 12.5);
      assert.equal((await ask("DELETE", `/opportunities(${parent})`)).status, 204);
      assert.equal((await ask("GET", `/${SET}/$count`)).text, "0");
    });
  }
});

suite("rows", () => {
  const engines = storeEngines();
  test("are there after a restart, and versions go on", async () => {
    for (const engine of engines.filter(({ lasting }) => lasting)) {
      const location = await engine.location();
      const version = async (id: string) => {
        await using tables = await startTables({ location });
        const { json } = await tables.ask("GET", `/${SET}(${id})`);
        return Number(json["versionnumber"]);
      };
      const create = async () => {
        await using tables = await startTables({ location });
        const id = await tables.interaction();
        return id;
      };
      const [first, second] = [await create(), await create()];
      assert.ok((await version(second)) > (await version(first)));
    }
  });
});
