import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { authorization } from "../authorization.fixture.ts";
import { OWNER_ROLE_ID } from "../definitions/general-roles.ts";

suite("the last owner", () => {
  const last = { statusCode: 400, code: "LastOwnerAssignment" };
  const owner = { roleDefinitionId: OWNER_ROLE_ID, scope: "/" };

  test("is neither removed nor disabled, and anybody else is", async () => {
    const { service } = await authorization();
    await assert.rejects(service.requireAnotherOwner("owner"), last);
    await assert.rejects(service.principalRemoved("owner"), last);
    await service.requireAnotherOwner("jane");
    await service.principalRemoved("jane");
  });

  test("is whoever is left when the other owners are disabled", async () => {
    const { service, grant, ask, disabled } = await authorization();
    const { headers } = await grant("owner", owner);
    await service.requireAnotherOwner("owner");
    disabled.add("jane");
    await assert.rejects(service.requireAnotherOwner("owner"), last);
    const id = String(headers["location"]).split("/").at(-1)?.split("?")[0];
    assert.equal(
      (await ask("owner", "DELETE", `/authorization/roleAssignments/${id}`)).status,
      204,
    );
  });

  test("may be the last member of a group, and no empty group is one", async () => {
    const { service, grant, disabled } = await authorization();
    await grant("owner", { ...owner, principalObjectId: "team", principalType: "Group" });
    await service.requireAnotherOwner("owner");
    disabled.add("owner");
    await assert.rejects(service.requireAnotherOwner("jane"), last);
    await assert.rejects(service.principalRemoved("jane"), last);
    disabled.delete("owner");
    disabled.add("jane");
    await assert.rejects(service.requireAnotherOwner("owner"), last);
  });
});
