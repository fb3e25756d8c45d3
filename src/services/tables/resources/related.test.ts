import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { PEOPLE, required, SET, startTables, TABLE } from "../tables.fixture.ts";

suite("rows that are connected", () => {
  test("are bound when they are created, and read along the connection", async () => {
    await using tables = await startTables();
    const opportunity = await tables.create("opportunities", { name: "Big deal" });
    const id = await tables.interaction({
      "svc_opportunity@odata.bind": `/opportunities(${opportunity})`,
    });
    const row = await tables.ask("GET", `/${SET}(${id})?$select=_svc_opportunity_value,svc_topic`, {
      headers: { prefer: 'odata.include-annotations="*"' },
    });
    const name = "_svc_opportunity_value";
    const { "@odata.context": context, "@odata.etag": etag, ...rest } = row.json;
    assert.match(String(context), /\$metadata#/);
    assert.match(String(etag), /^W\/"\d+"$/);
    assert.deepEqual(rest, {
      [`${name}@OData.Community.Display.V1.FormattedValue`]: "Big deal",
      [`${name}@Microsoft.Dynamics.CRM.associatednavigationproperty`]: "svc_opportunity",
      [`${name}@Microsoft.Dynamics.CRM.lookuplogicalname`]: "opportunity",
      [name]: opportunity,
      "svc_topic@OData.Community.Display.V1.FormattedValue": "Deal Risk",
      svc_topic: 1,
      [`${TABLE}id`]: id,
    });
    const parent = await tables.ask("GET", `/${SET}(${id})/svc_opportunity?$select=name`);
    assert.equal(parent.json["name"], "Big deal");
    const collection = `opportunity_${TABLE}_svc_opportunity`;
    const children = await tables.ask("GET", `/opportunities(${opportunity})/${collection}`);
    assert.equal((children.json["value"] as unknown[]).length, 1);
    const count = await tables.ask("GET", `/opportunities(${opportunity})/${collection}/$count`);
    assert.equal(count.text, "1");
  });

  test("go with the row that they belong to", async () => {
    await using tables = await startTables();
    const id = await tables.interaction({ svc_opportunity: { name: "Nested" } });
    const parent = await tables.ask("GET", `/${SET}(${id})/svc_opportunity/$ref`);
    assert.equal((await tables.ask("DELETE", String(parent.json["@odata.id"]))).status, 204);
    assert.equal((await tables.ask("GET", `/${SET}(${id})`)).status, 404);
  });

  test("are associated and disassociated, from either side", async () => {
    await using tables = await startTables();
    const { ask } = tables;
    const opportunity = `/opportunities(${await tables.create("opportunities", { name: "o" })})`;
    const row = `/${SET}(${await tables.interaction()})`;
    const body = { "@odata.id": `http://localhost/api/data/v9.2${opportunity}` };
    assert.equal((await ask("PUT", `${row}/svc_opportunity/$ref`, { body })).status, 204);
    const collection = `${opportunity}/opportunity_${TABLE}_svc_opportunity`;
    const count = async () => (await ask("GET", `${collection}/$count`)).text;
    assert.equal(await count(), "1");
    assert.equal((await ask("DELETE", `${row}/svc_opportunity/$ref`)).status, 204);
    assert.equal(await count(), "0");
    const child = { "@odata.id": `http://localhost/api/data/v9.2${row}` };
    assert.equal((await ask("POST", `${collection}/$ref`, { body: child })).status, 204);
    assert.equal(await count(), "1");
    const id = encodeURIComponent(child["@odata.id"]);
    assert.equal((await ask("DELETE", `${collection}/$ref?$id=${id}`)).status, 204);
    assert.equal(await count(), "0");
  });

  test("are linked many to many", async () => {
    await using tables = await startTables();
    await tables.interaction();
    const team = `/teams(${await tables.create("teams", { name: "Sales" })})`;
    const user = `/systemusers(${PEOPLE.admin})`;
    const body = { "@odata.id": user };
    const links = `${team}/teammembership_association`;
    assert.equal((await tables.ask("POST", `${links}/$ref`, { body })).status, 204);
    const teams = await tables.ask("GET", `${user}/teammembership_association?$select=name`);
    assert.deepEqual(
      (teams.json["value"] as Record<string, unknown>[]).map(({ name }) => name),
      ["Sales"],
    );
    assert.equal((await tables.ask("DELETE", `${links}(${PEOPLE.admin})/$ref`)).status, 204);
    assert.equal((await tables.ask("GET", `${links}/$count`)).text, "0");
  });

  test("are refused when the other row is missing or of the wrong table", async () => {
    await using tables = await startTables();
    const bind = (url: string) =>
      tables.ask("POST", `/${SET}`, { body: { ...required, "svc_opportunity@odata.bind": url } });
    const missing = await bind("/opportunities(00000000-0000-4000-8000-000000000009)");
    assert.deepEqual([missing.status, missing.code], [404, "0x80040217"]);
    const wrong = await bind(`/systemusers(${PEOPLE.admin})`);
    assert.equal(
      wrong.message,
      "svc_opportunity refers to rows of opportunity, not of systemuser.",
    );
    assert.equal((await bind("/nowhere(1)")).status, 400);
    assert.equal((await tables.ask("GET", `/${SET}/$count`)).text, "0");
  });

  test("have single columns", async () => {
    await using tables = await startTables();
    const row = `/${SET}(${await tables.interaction()})`;
    const put = await tables.ask("PUT", `${row}/svc_result`, { body: { value: "good" } });
    assert.equal(put.status, 204);
    assert.equal((await tables.ask("GET", `${row}/svc_result`)).json["value"], "good");
    assert.equal((await tables.ask("GET", `${row}/svc_result/$value`)).text, "good");
    assert.equal((await tables.ask("DELETE", `${row}/svc_result`)).status, 204);
    assert.equal((await tables.ask("GET", `${row}/svc_result`)).status, 204);
    assert.equal((await tables.ask("DELETE", `${row}/svc_topic`)).status, 400);
  });
});
