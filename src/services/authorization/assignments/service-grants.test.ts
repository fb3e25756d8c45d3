import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { authorization, callerNamed, READER, WRITER } from "../authorization.fixture.ts";

const SCOPE = "/shelves/1";
const WRITE = { action: "Svc.Storage/books/write", scope: `${SCOPE}/x`, plane: "data" } as const;

suite("grants by a service whose own protocol manages them", () => {
  let fixture: Awaited<ReturnType<typeof authorization>>;
  before(async () => {
    fixture = await authorization();
  });
  after(async () => {
    await fixture.app.close();
    await fixture.service.stop();
  });

  test("count at once, are one however often they are made, and can be taken back", async () => {
    const { serviceGrants, decide } = fixture.service;
    const grant = {
      principalObjectId: "jane",
      roleDefinitionId: WRITER,
      scope: SCOPE,
      description: "a note",
    };
    assert.equal(decide(callerNamed("jane"), WRITE), false);
    await serviceGrants.grant(callerNamed("robot"), grant);
    await serviceGrants.grant(callerNamed("robot"), grant);
    assert.equal(decide(callerNamed("jane"), WRITE), true);
    const [found, ...others] = await serviceGrants.list([WRITER]);
    assert.deepEqual(others, []);
    const { principalType, description, createdBy, id } = found ?? {};
    assert.deepEqual([principalType, description, createdBy], ["User", "a note", "robot"]);
    assert.deepEqual(await serviceGrants.list([READER]), []);
    await serviceGrants.revoke(callerNamed("robot"), id ?? "");
    await serviceGrants.revoke(callerNamed("robot"), id ?? "");
    assert.equal(decide(callerNamed("jane"), WRITE), false);
  });
});
