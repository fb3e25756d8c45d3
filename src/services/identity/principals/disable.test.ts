import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Problem } from "#platform/problem.ts";
import { identity } from "../identity.fixture.ts";

suite("disabling a principal", () => {
  test("asks first, and changes nothing when it may not be", async () => {
    const asked: string[] = [];
    const world = await identity({
      principalDisabled: async (id) => {
        asked.push(id);
        throw new Problem(400, "LastOwnerAssignment", "It is the last owner.");
      },
    });
    const id = world.service.bootstrapOwners[0]?.id ?? "";
    const known = await world.admin("GET", `principals/${id}`);
    const { status, error } = await world.admin("PATCH", `principals/${id}`, { enabled: false });
    assert.deepEqual([status, error?.code], [400, "LastOwnerAssignment"]);
    assert.deepEqual(await world.admin("GET", `principals/${id}`), known);
    await world.admin("PATCH", `principals/${id}`, { enabled: true, displayName: "A" });
    assert.deepEqual(asked, [id]);
    await world.stop();
  });

  test("leaves a group enabled as long as a member is, in groups and circles", async () => {
    const world = await identity();
    const { isEnabled } = world.service;
    const make = async (kind: string, name: string) =>
      String((await world.admin("POST", "principals", { kind, name })).json["id"]);
    const [outer, inner, jane] = [
      await make("Group", "outer"),
      await make("Group", "inner"),
      await make("User", "jane"),
    ];
    await world.admin("PUT", `principals/${outer}/members/${inner}`);
    await world.admin("PUT", `principals/${inner}/members/${outer}`);
    assert.deepEqual([isEnabled(jane), isEnabled(outer)], [true, false]);
    await world.admin("PUT", `principals/${inner}/members/${jane}`);
    assert.deepEqual([isEnabled(outer), isEnabled(outer, jane)], [true, false]);
    await world.admin("PATCH", `principals/${jane}`, { enabled: false });
    assert.deepEqual([isEnabled(jane), isEnabled(outer), isEnabled("none")], [false, false, false]);
    await world.stop();
  });
});
