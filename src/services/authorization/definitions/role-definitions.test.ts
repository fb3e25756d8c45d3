import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { authorization, callerNamed, READER, WRITER } from "../authorization.fixture.ts";

const path = "/authorization/roleDefinitions";
const custom = "00000000-0000-4000-8000-0000000000c1";

const stamper = {
  roleName: "Stamper",
  assignableScopes: ["/shelves"],
  permissions: [{ dataActions: ["Microsoft.Storage/books/stamp/action"] }],
};

suite("role definitions", () => {
  test("are listed, found by name, and shown one by one", async () => {
    const { ask } = await authorization();
    const all = await ask("owner", "GET", path);
    const names = (all.json as { value: { roleName: string }[] }).value.map((r) => r.roleName);
    const builtIn = ["Owner", "Contributor", "Reader", "User Access Administrator", "Book Writer"];
    assert.deepEqual(names, builtIn);
    const filter = encodeURIComponent("roleName eq 'reader'");
    const reader = await ask("owner", "GET", `${path}?$filter=${filter}`);
    const one = await ask("owner", "GET", `${path}/${READER}`);
    assert.deepEqual(reader.json, { value: [one.json] });
    assert.equal((await ask("jane", "GET", path)).status, 403);
    const wrong = await ask("owner", "GET", `${path}?$filter=name`);
    assert.deepEqual([wrong.status, wrong.code], [400, "InvalidFilter"]);
    const none = await ask("owner", "GET", `${path}/${custom}`);
    assert.deepEqual([none.status, none.code], [404, "RoleDefinitionNotFound"]);
  });

  test("can be made, changed with immediate effect, and removed when unused", async () => {
    const { ask, grant, service } = await authorization();
    const made = await ask("owner", "PUT", `${path}/${custom}`, stamper);
    const nothing = { actions: [], notActions: [], notDataActions: [] };
    assert.deepEqual(
      [made.status, made.json],
      [
        201,
        {
          id: custom,
          roleName: "Stamper",
          description: "",
          type: "CustomRole",
          assignableScopes: ["/shelves"],
          permissions: [{ ...nothing, dataActions: ["Svc.Storage/books/stamp/action"] }],
        },
      ],
    );
    await grant("owner", { roleDefinitionId: custom });
    const stamp = { action: "Svc.Storage/books/stamp/action", plane: "data" } as const;
    const may = () => service.decide(callerNamed("jane"), { ...stamp, scope: "/shelves/1/x" });
    assert.equal(may(), true);
    const used = await ask("owner", "DELETE", `${path}/${custom}`);
    assert.deepEqual([used.status, used.code], [409, "RoleDefinitionHasAssignments"]);
    await ask("owner", "PUT", `${path}/${custom}`, { ...stamper, permissions: [{}] });
    assert.equal(may(), false);
    await service.principalRemoved("jane");
    assert.equal((await ask("owner", "DELETE", `${path}/${custom}`)).status, 204);
    assert.equal((await ask("owner", "GET", `${path}/${custom}`)).status, 404);
  });

  test("are assigned only where they may be", async () => {
    const { ask, grant } = await authorization();
    await ask("owner", "PUT", `${path}/${custom}`, stamper);
    const elsewhere = await grant("owner", { roleDefinitionId: custom, scope: "/shelvesX" });
    assert.deepEqual([elsewhere.status, elsewhere.code], [400, "RoleDefinitionNotAssignable"]);
  });

  test("stay assignable where they are assigned", async () => {
    const { ask, grant } = await authorization();
    await ask("owner", "PUT", `${path}/${custom}`, stamper);
    await grant("owner", { roleDefinitionId: "stamper" });
    const narrow = { ...stamper, assignableScopes: ["/shelves/10"] };
    const refused = await ask("owner", "PUT", `${path}/${custom}`, narrow);
    assert.deepEqual([refused.status, refused.code], [409, "RoleDefinitionHasAssignments"]);
    const same = { ...stamper, assignableScopes: ["/Shelves/1"] };
    assert.equal((await ask("owner", "PUT", `${path}/${custom}`, same)).status, 201);
  });

  test("are seen where they may be assigned, by whoever may read there", async () => {
    const { ask, grant } = await authorization();
    await ask("owner", "PUT", `${path}/${custom}`, stamper);
    await grant("owner", { roleDefinitionId: READER, scope: "/shelves" });
    assert.equal((await ask("jane", "GET", `${path}/${custom}`)).status, 200);
    const hidden = { ...stamper, assignableScopes: ["/desks"] };
    await ask("owner", "PUT", `${path}/${custom}`, hidden);
    const absent = await ask("jane", "GET", `${path}/${custom}`);
    assert.deepEqual([absent.status, absent.code], [404, "RoleDefinitionNotFound"]);
    const { json } = await ask("jane", "GET", path);
    assert.ok(!JSON.stringify(json).includes("Stamper"));
  });

  test("refuse what breaks a rule", async () => {
    const { ask } = await authorization();
    const put = async (change: object, id = custom) => {
      const answer = await ask("owner", "PUT", `${path}/${id}`, { ...stamper, ...change });
      return [answer.status, answer.code];
    };
    assert.deepEqual(await put({}, "7"), [400, "InvalidRoleDefinitionId"]);
    assert.deepEqual(await put({}, WRITER), [403, "BuiltInRoleReadOnly"]);
    assert.deepEqual(await put({ roleName: "" }), [400, "InvalidRequest"]);
    assert.deepEqual(await put({ roleName: "owner" }), [409, "RoleDefinitionWithSameNameExists"]);
    assert.deepEqual(await put({ assignableScopes: [] }), [400, "InvalidRequest"]);
    assert.deepEqual(await put({ assignableScopes: ["x"] }), [400, "InvalidScope"]);
    const stars = [{ actions: ["*/".repeat(11) + "x"] }];
    assert.deepEqual(await put({ permissions: stars }), [400, "InvalidActionPattern"]);
    assert.deepEqual(await put({ permissions: [{ actions: ["a b"] }] }), [
      400,
      "InvalidActionPattern",
    ]);
    for (const notActions of [["Microsoft.Stor*"], ["Mic*/write"]]) {
      const permissions = [{ actions: ["*"], notActions }];
      assert.deepEqual(await put({ permissions }), [400, "InvalidActionPattern"]);
    }
    assert.deepEqual(await put({ roleName: READER }), [400, "InvalidRoleName"]);
    const builtIn = await ask("owner", "DELETE", `${path}/${WRITER}`);
    assert.deepEqual([builtIn.status, builtIn.code], [403, "BuiltInRoleReadOnly"]);
    assert.equal((await ask("jane", "PUT", `${path}/${custom}`, stamper)).status, 403);
  });
});
