import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { PEOPLE, required, SET, startTables, TABLE } from "../tables.fixture.ts";

const ID = "00000000-0000-4000-8000-000000000001";

suite("rows of the interactions", () => {
  test("are created, read, changed and deleted", async () => {
    await using tables = await startTables();
    const { ask } = tables;
    const made = await ask("POST", `/${SET}`, { body: { ...required, svc_feedback: 10_001 } });
    assert.equal(made.status, 204);
    const url = String(made.headers["odata-entityid"]);
    assert.match(url, new RegExp(`^http://[^/]+/api/data/v9\\.2/${SET}\\([0-9a-f-]{36}\\)$`));
    const read = await ask("GET", url);
    assert.equal(read.status, 200);
    assert.deepEqual(
      [read.json["svc_feedback"], read.json["svc_isdone"], read.json["statecode"]],
      [10_001, false, 0],
    );
    assert.equal(read.json["_createdby_value"], PEOPLE.admin);
    assert.equal(read.headers["etag"], read.json["@odata.etag"]);
    const changed = await ask("PATCH", url, {
      body: { svc_isdone: true },
      headers: { "if-match": "*", prefer: "return=representation" },
    });
    assert.equal(changed.status, 200);
    assert.equal(changed.json["svc_isdone"], true);
    assert.notEqual(changed.json["@odata.etag"], read.json["@odata.etag"]);
    assert.equal((await ask("DELETE", url)).status, 204);
    const gone = await ask("GET", url);
    assert.deepEqual([gone.status, gone.code], [404, "0x80040217"]);
  });

  test("are listed in pages that a link connects", async () => {
    await using tables = await startTables();
    for (const name of ["b", "C", "a"]) await tables.interaction({ [TABLE]: name });
    const first = await tables.ask(
      "GET",
      `/${SET}?$select=${TABLE}&$orderby=${TABLE}&$count=true`,
      {
        headers: { prefer: "odata.maxpagesize=2" },
      },
    );
    const names = (json: Record<string, unknown>) =>
      (json["value"] as Record<string, unknown>[]).map((row) => row[TABLE]);
    assert.deepEqual(names(first.json), ["a", "b"]);
    assert.equal(first.json["@odata.count"], 3);
    const second = await tables.ask("GET", String(first.json["@odata.nextLink"]), {
      headers: { prefer: "odata.maxpagesize=2" },
    });
    assert.deepEqual(names(second.json), ["C"]);
    assert.equal(second.json["@odata.nextLink"], undefined);
  });

  test("are made or changed by whoever names their id", async () => {
    await using tables = await startTables();
    const url = `/${SET}(${ID})`;
    const prefer = { prefer: "return=representation" };
    const onlyChange = await tables.ask("PATCH", url, {
      body: required,
      headers: { "if-match": "*" },
    });
    assert.deepEqual([onlyChange.status, onlyChange.code], [404, "0x80040217"]);
    const made = await tables.ask("PATCH", url, { body: required, headers: prefer });
    assert.equal(made.status, 201);
    const changed = await tables.ask("PATCH", url, { body: { svc_topic: 2 }, headers: prefer });
    assert.deepEqual([changed.status, changed.json["svc_topic"]], [200, 2]);
    const onlyCreate = await tables.ask("PATCH", url, {
      body: required,
      headers: { "if-none-match": "*" },
    });
    assert.equal(onlyCreate.status, 412);
    const stale = await tables.ask("PATCH", url, {
      body: { svc_topic: 1 },
      headers: { "if-match": String(made.json["@odata.etag"]) },
    });
    assert.deepEqual([stale.status, stale.code], [412, "0x80060882"]);
    const twice = await tables.ask("POST", `/${SET}`, {
      body: { ...required, [`${TABLE}id`]: ID },
    });
    assert.deepEqual([twice.status, twice.code], [412, "0x80040237"]);
  });

  test("are changed by many at once, and no change is lost", async () => {
    await using tables = await startTables();
    const url = `/${SET}(${await tables.interaction()})`;
    const columns = ["svc_result", "svc_sarid", "svc_uiitemid", "svc_lastupdatetimestamp"];
    const changes = columns.map((name) =>
      tables.ask("PATCH", url, { body: { [name]: `by ${name}` } }),
    );
    assert.ok((await Promise.all(changes)).every(({ status }) => status === 204));
    const { json } = await tables.ask("GET", url);
    assert.deepEqual(
      columns.map((name) => json[name]),
      columns.map((name) => `by ${name}`),
    );
    const headers = { "if-match": String(json["@odata.etag"]) };
    const racing = Array.from({ length: 20 }, (_, at) =>
      tables.ask("PATCH", url, { body: { importsequencenumber: at }, headers }),
    );
    const statuses = (await Promise.all(racing)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 204).length, 1);
    assert.equal(statuses.filter((status) => status === 412).length, 19);
  });

  test("of users are there for whoever asks who it is", async () => {
    await using tables = await startTables();
    const who = await tables.ask("GET", "/WhoAmI", { who: "reader" });
    const user = await tables.ask("GET", `/systemusers(${String(who.json["UserId"])})`);
    assert.deepEqual([user.json["fullname"], user.json["domainname"]], ["READER", "reader"]);
  });

  test("are named at the root, too", async () => {
    await using tables = await startTables();
    const id = await tables.interaction();
    const row = await tables.ask("GET", `http://localhost/${SET}(${id})`);
    assert.equal(row.json[`${TABLE}id`], id);
    assert.match(String(row.json["@odata.context"]), /^http:\/\/localhost(:80)?\/\$metadata#/);
  });
});
