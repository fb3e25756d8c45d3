import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { openStore } from "#platform/store/open-store.ts";
import { authorization, callerNamed, READER, WRITER } from "./authorization.fixture.ts";
import { ASSIGNMENTS_MAX } from "./assignments/role-assignments.ts";
import { CUSTOM_ROLES_MAX } from "./definitions/role-definitions.ts";
import { migrations, type AuthorizationTables } from "./store.ts";

const write = { action: "Svc.Storage/books/write", scope: "/shelves/1", plane: "data" } as const;
const ROLE = "00000000-0000-4000-8000-0000000000c1";

suite("a restart", () => {
  test("keeps grants, roles and what was taken back, and records each change once", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-authorization-"));
    const location = { kind: "sqlite", file: join(folder.path, "db.sqlite") } as const;
    const before = await authorization(location);
    const stamper = {
      roleName: "Stamper",
      assignableScopes: ["/"],
      permissions: [{ dataActions: ["Svc.Storage/stamp"] }],
    };
    await before.ask("owner", "PUT", `/authorization/roleDefinitions/${ROLE}`, stamper);
    await before.grant("owner");
    await before.grant("owner", { roleDefinitionId: ROLE });
    const taken = await before.grant("owner", { roleDefinitionId: READER });
    await before.ask("owner", "DELETE", String(taken.headers["location"]));
    await before.service.stop();

    const after = await authorization(location);
    const jane = callerNamed("jane");
    const may = (action: string) => after.service.decide(jane, { ...write, action });
    assert.deepEqual(["Svc.Storage/books/write", "Svc.Storage/stamp"].map(may), [true, true]);
    const reading = { action: "Svc.X/read", scope: "/shelves/1", plane: "control" } as const;
    assert.equal(after.service.decide(jane, reading), false);
    await after.service.stop();

    const store = await openStore<AuthorizationTables>({ location, migrations });
    const audited = await store.db.selectFrom("audit").select(["caller", "operation"]).execute();
    await store.close();
    const noun = "Svc.Authorization/roleAssignments";
    assert.deepEqual(audited.map(({ caller, operation }) => `${caller} ${operation}`).toSorted(), [
      `atoll ${noun}/write`,
      `owner ${noun}/delete`,
      `owner ${noun}/write`,
      `owner ${noun}/write`,
      `owner ${noun}/write`,
      "owner Svc.Authorization/roleDefinitions/write",
    ]);
  });

  test("loads as many assignments as there may be, and refuses one more", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-authorization-"));
    const location = { kind: "sqlite", file: join(folder.path, "db.sqlite") } as const;
    const store = await openStore<AuthorizationTables>({ location, migrations });
    await store.write(async (transaction) => {
      for (let start = 0; start < ASSIGNMENTS_MAX - 1; start += 1000) {
        const count = Math.min(1000, ASSIGNMENTS_MAX - 1 - start);
        const rows = Array.from({ length: count }, (_, at) => assignmentRow(start + at));
        await transaction.insertInto("roleAssignment").values(rows).execute();
      }
    });
    await store.close();
    const { service, grant } = await authorization(location);
    const scope = `/shelves/${ASSIGNMENTS_MAX - 2}/x`;
    assert.equal(service.decide(callerNamed("jane"), { ...write, scope }), true);
    assert.equal(service.decide(callerNamed("jane"), { ...write, scope: "/shelves/x" }), false);
    const last = { roleDefinitionId: READER, scope: "/desks" };
    assert.equal((await grant("owner", last)).status, 201);
    const full = await grant("owner", { ...last, scope: "/walls" });
    assert.deepEqual([full.status, full.code], [400, "RoleAssignmentLimitExceeded"]);
    assert.equal((await grant("owner", last)).status, 201);
    await service.stop();
  });
});

suite("the limit of custom roles", () => {
  test("lets roles be replaced and no more be made", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-authorization-"));
    const location = { kind: "sqlite", file: join(folder.path, "db.sqlite") } as const;
    const store = await openStore<AuthorizationTables>({ location, migrations });
    await store.write(async (transaction) => {
      for (let start = 0; start < CUSTOM_ROLES_MAX; start += 500) {
        const rows = Array.from({ length: 500 }, (_, at) => roleRow(start + at));
        await transaction.insertInto("roleDefinition").values(rows).execute();
      }
    });
    await store.close();
    const { service, ask } = await authorization(location);
    const role = { roleName: "One More", assignableScopes: ["/"], permissions: [{}] };
    const full = await ask("owner", "PUT", `/authorization/roleDefinitions/${ROLE}`, role);
    assert.deepEqual([full.status, full.code], [400, "RoleDefinitionLimitExceeded"]);
    const there = `/authorization/roleDefinitions/${roleRow(7).id}`;
    assert.equal((await ask("owner", "PUT", there, role)).status, 201);
    await service.stop();
  });
});

function roleRow(at: number) {
  const id = `00000000-0000-4000-9000-${String(at).padStart(12, "0")}`;
  const lists = { assignableScopes: JSON.stringify(["/"]), permissions: JSON.stringify([]) };
  return { id, roleName: `Role ${at}`, description: "", ...lists };
}

/** The first one is of the owner, at the root; all others are Jane's, a shelf each. */
function assignmentRow(at: number) {
  const isOwner = at === 0;
  return {
    id: `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`,
    principalObjectId: isOwner ? "owner" : "jane",
    principalType: "User",
    roleDefinitionId: isOwner ? "8e3af657-a8ff-443c-a75c-2fe8c4bcb635" : WRITER,
    scope: isOwner ? "/" : `/shelves/${at}`,
    scopeKey: isOwner ? "" : `/shelves/${at}`,
    description: "",
    createdOn: new Date(at).toISOString(),
    createdBy: "owner",
  };
}
