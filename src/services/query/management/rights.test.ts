import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { startQuery, type TestQuery } from "../query.fixture.ts";

suite("rights to management commands", () => {
  let query: TestQuery;
  before(async () => {
    query = await startQuery();
  });
  after(() => query[Symbol.asyncDispose]());

  async function refusal(csl: string, who = "admin", options: object = {}) {
    const properties = { Options: options };
    const { status, json } = await query.post("/v1/rest/mgmt", { db: "db", csl, properties }, who);
    const { error } = json as { error: { code: string; "@message": string } };
    return { status, code: error.code, said: error["@message"] };
  }

  test("map principals to role assignments", async () => {
    await query.command(".add database db viewers ('aaduser=user') 'a note'");
    assert.deepEqual(
      query.grants.map(({ principalObjectId, description }) => [principalObjectId, description]),
      [["user", "a note"]],
    );
    const shown = await query.command(
      ".show database db principals | project Role, PrincipalDisplayName, Notes",
    );
    assert.deepEqual(shown, [["Database db Viewer", "The user", "a note"]]);
    await query.command(".set database db viewers ('viewer')");
    assert.deepEqual(
      query.grants.map(({ principalObjectId }) => principalObjectId),
      ["viewer"],
    );
    await query.command(".drop database db viewers ('viewer')");
    assert.deepEqual(query.grants, []);
    assert.match(
      (await refusal(".add database db admins ('nobody')")).said,
      /no principal 'nobody'/,
    );
  });

  test("are for those who may", async () => {
    await query.command(".create table Mine (a:long)", "user");
    for (const [csl, who] of [
      [".create table Other (a:long)", "viewer"],
      [".drop table Mine", "user"],
      [".alter table Mine (b:long)", "user"],
      [".create database x", "user"],
      [".show cluster", "user"],
      [".add database db admins ('user')", "user"],
      [".set-or-append Mine <| print a=1", "viewer"],
      [".show tables", "stranger"],
    ] as const) {
      const { status, code } = await refusal(csl, who);
      assert.deepEqual([status, code], [403, "Forbidden"], `${who}: ${csl}`);
    }
    assert.deepEqual(await query.command(".show databases | count", "stranger"), [[0]]);
  });

  test("change nothing for a request that is read-only", async () => {
    const readOnly = { request_readonly: true };
    const { status, said } = await refusal(".create table R (a:long)", "admin", readOnly);
    assert.deepEqual(
      [status, said],
      [403, "The request is read-only, and CreateTable changes something."],
    );
  });
});
