import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { PEOPLE, required, SET, startTables, TABLE } from "../tables.fixture.ts";

/** A body that breaks a rule, the code it is refused with, and what the message has to name. */
const BROKEN: readonly [rule: string, body: object, code: string, message: RegExp][] = [
  ["100 characters", { svc_result: "x".repeat(101) }, "0x80044331", /svc_result.*101.*100/],
  ["850 characters", { [TABLE]: "x".repeat(851) }, "0x80044331", /851.*850/],
  ["text", { svc_sarid: 5 }, "0x80048d19", /svc_sarid is not a text/],
  ["whole number", { importsequencenumber: 1.5 }, "0x80048d19", /importsequencenumber/],
  ["2^31", { importsequencenumber: 2 ** 31 }, "0x80044330", /2147483648.*2147483647/],
  ["-1", { utcconversiontimezonecode: -2 }, "0x80044330", /-2 of utcconversiontimezonecode/],
  ["-1 too", { timezoneruleversionnumber: -2 }, "0x80044330", /timezoneruleversionnumber/],
  ["choice", { svc_feedback: 1 }, "0x8004431a", /1 of svc_feedback.*10001 \(Thumbs up\)/],
  ["choice by number", { svc_topic: "Page" }, "0x80048d19", /svc_topic/],
  ["boolean", { svc_isdone: "yes" }, "0x80048d19", /svc_isdone is not true or false/],
  ["GUID", { svc_macroagentorchestrationid: "1-2" }, "0x80048d19", /is not a GUID/],
  ["own GUID", { [`${TABLE}id`]: "x" }, "0x80048d19", /is not a GUID/],
  ["date", { overriddencreatedon: "yesterday" }, "0x80048d19", /overriddencreatedon/],
  ["real date", { overriddencreatedon: "2026-02-30" }, "0x80048d19", /2026-02-30/],
  ["state", { statecode: 7 }, "0x8004431a", /7 of statecode/],
  ["status", { statuscode: 7 }, "0x8004431a", /7 of statuscode/],
  ["status of the state", { statecode: 0, statuscode: 2 }, "0x80048408", /2 is not a valid/],
  ["required", { svc_uiitemid: null }, "0x80040203", /svc_uiitemid.*required/],
  ["read-only", { createdon: "2026-01-01T00:00:00Z" }, "0x80040203", /createdon.*read-only/],
  ["read-only owner", { ownerid: null }, "0x80040203", /ownerid is read-only/],
  ["read-only version", { versionnumber: 1 }, "0x80040203", /versionnumber.*read-only/],
  ["lookup", { _svc_opportunity_value: PEOPLE.user }, "0x80048d19", /svc_opportunity@odata\.bind/],
  ["known column", { svc_nothing: 1 }, "0x80048d19", /'svc_nothing' does not exist/],
  ["known navigation", { "svc_no@odata.bind": "/a(1)" }, "0x80048d19", /'svc_no' does not exist/],
];

suite("every rule of a column", () => {
  for (const [rule, broken, code, message] of BROKEN) {
    test(`is kept: ${rule}`, async () => {
      await using tables = await startTables();
      const body = { ...required, ...broken };
      const created = await tables.ask("POST", `/${SET}`, { body });
      assert.deepEqual([created.status, created.code], [400, code]);
      assert.match(created.message, message);
      const id = await tables.interaction();
      const before = await tables.ask("GET", `/${SET}(${id})`);
      const changed = await tables.ask("PATCH", `/${SET}(${id})`, { body: broken });
      assert.equal(changed.status, 400);
      assert.deepEqual((await tables.ask("GET", `/${SET}(${id})`)).json, before.json);
    });
  }

  test("lets values at its edges pass, and answers them as they were sent", async () => {
    await using tables = await startTables();
    const values = {
      [TABLE]: "ü".repeat(850),
      svc_result: "x".repeat(100),
      svc_feedback: 10_003,
      svc_isdone: true,
      importsequencenumber: -2_147_483_648,
      timezoneruleversionnumber: -1,
      utcconversiontimezonecode: 2_147_483_647,
      overriddencreatedon: "2026-02-28T00:00:00Z",
      svc_macroagentorchestrationid: "0f0f0f0f-0000-4000-8000-000000000001",
    };
    const id = await tables.interaction(values);
    const { json } = await tables.ask("GET", `/${SET}(${id})`);
    const read = Object.fromEntries(Object.keys(values).map((name) => [name, json[name]]));
    assert.deepEqual(read, values);
    assert.deepEqual([json["statecode"], json["statuscode"]], [0, 1]);
  });

  test("names a required column that is missing", async () => {
    await using tables = await startTables();
    for (const name of Object.keys(required)) {
      const body = { ...required, [name]: undefined };
      const { status, message } = await tables.ask("POST", `/${SET}`, { body });
      assert.equal(status, 400);
      assert.match(message, new RegExp(`${name} of ${TABLE} is required`));
    }
  });

  test("moves the status with the state", async () => {
    await using tables = await startTables();
    const url = `/${SET}(${await tables.interaction()})`;
    const states = async (body: object) => {
      const prefer = { prefer: "return=representation" };
      const { json } = await tables.ask("PATCH", url, { body, headers: prefer });
      return [json["statecode"], json["statuscode"]];
    };
    assert.deepEqual(await states({ statecode: 1 }), [1, 2]);
    assert.deepEqual(await states({ svc_topic: 2 }), [1, 2]);
    assert.deepEqual(await states({ statecode: 0, statuscode: 1 }), [0, 1]);
    const alone = await tables.ask("PATCH", url, { body: { statuscode: 2 } });
    assert.deepEqual([alone.status, alone.code], [400, "0x80048408"]);
  });
});

suite("roles", () => {
  test("let nobody do what they do not allow, and say which action is missing", async () => {
    await using tables = await startTables();
    const url = `/${SET}(${await tables.interaction()})`;
    const asked = [
      await tables.ask("GET", url, { who: "nobody" }),
      await tables.ask("POST", `/${SET}`, { who: "reader", body: required }),
      await tables.ask("PATCH", url, { who: "reader", body: { svc_topic: 2 } }),
      await tables.ask("DELETE", url, { who: "reader" }),
    ];
    assert.deepEqual(
      asked.map(({ status, code }) => [status, code]),
      asked.map(() => [403, "0x80040220"]),
    );
    assert.match(asked[1]?.message ?? "", /tables\/create\/action/);
    assert.equal((await tables.ask("GET", url, { who: "reader" })).status, 200);
    assert.equal(
      (await tables.ask("GET", "/WhoAmI", { who: "nobody" })).json["UserId"],
      PEOPLE.nobody,
    );
  });

  test("count for who is impersonated, and the caller is noted", async () => {
    await using tables = await startTables();
    const headers = { callerobjectid: PEOPLE.user, prefer: "return=representation" };
    const made = await tables.ask("POST", `/${SET}`, { body: required, headers });
    assert.deepEqual(
      [made.json["_createdby_value"], made.json["_createdonbehalfby_value"]],
      [PEOPLE.user, PEOPLE.admin],
    );
    const denied = await tables.ask("POST", `/${SET}`, { body: required, headers, who: "user" });
    assert.equal(denied.status, 403);
    const reader = { callerobjectid: PEOPLE.reader };
    const asReader = await tables.ask("POST", `/${SET}`, { body: required, headers: reader });
    assert.equal(asReader.status, 403);
  });
});
