import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { authorization, READER, WRITER } from "./authorization.fixture.ts";

const OWNER = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635";
const ID = "00000000-0000-4000-8000-0000000000e1";
const OTHER_ID = "00000000-0000-4000-8000-0000000000e2";
const ROLE = "00000000-0000-4000-8000-0000000000e3";
const SHELF = "/shelves/1";

function at(scope: string, noun: string, id = "", provider = "Svc.Authorization"): string {
  return `${scope}/providers/${provider}/${noun}${id && `/${id}`}?api-version=2022-04-01`;
}

function assignment(change: object = {}) {
  const properties = { principalId: "jane", principalType: "User", roleDefinitionId: WRITER };
  return { properties: { ...properties, ...change } };
}

/** Everybody but `owner` has no role; `robot` then owns one shelf. */
async function withShelfOwner() {
  const all = await authorization();
  const robot = { principalObjectId: "robot", principalType: "ServicePrincipal", scope: SHELF };
  await all.grant("owner", { ...robot, roleDefinitionId: OWNER });
  return all;
}

suite("{scope}/providers/Svc.Authorization/roleAssignments/{id}", () => {
  test("grants, shows and takes back under the names in which it is asked", async () => {
    const { ask } = await authorization();
    for (const provider of ["Svc.Authorization", "Microsoft.Authorization"]) {
      const url = at(SHELF, "roleAssignments", ID, provider);
      const made = await ask("owner", "PUT", url, assignment({ description: "for the week" }));
      const { createdOn, updatedOn, ...properties } = (
        made.json as { properties: Record<string, unknown> }
      ).properties;
      assert.equal(createdOn, updatedOn);
      assert.deepEqual(
        { status: made.status, json: { ...(made.json as object), properties } },
        {
          status: 201,
          json: {
            id: `${SHELF}/providers/${provider}/roleAssignments/${ID}`,
            name: ID,
            type: `${provider}/roleAssignments`,
            properties: {
              scope: SHELF,
              roleDefinitionId: `/providers/${provider}/roleDefinitions/${WRITER}`,
              principalId: "jane",
              principalType: "User",
              description: "for the week",
              createdBy: "owner",
              updatedBy: "owner",
            },
          },
        },
      );
      const found = await ask("owner", "GET", url);
      assert.deepEqual([found.status, found.json], [200, made.json]);
      const gone = await ask("owner", "DELETE", url);
      assert.deepEqual([gone.status, gone.json], [200, made.json]);
      assert.equal((await ask("owner", "DELETE", url)).status, 204);
      const missing = await ask("owner", "GET", url);
      assert.deepEqual([missing.status, missing.code], [404, "RoleAssignmentNotFound"]);
    }
  });

  test("answers 200 for the same again, and changes only the description", async () => {
    const { ask } = await authorization();
    const put = async (change: object, scope = SHELF, id = ID) => {
      const answer = await ask(
        "owner",
        "PUT",
        at(scope, "roleAssignments", id),
        assignment(change),
      );
      return [answer.status, answer.code];
    };
    assert.deepEqual(await put({}), [201, undefined]);
    assert.deepEqual(await put({ roleDefinitionId: "Book Writer" }, "/SHELVES/1"), [
      200,
      undefined,
    ]);
    assert.deepEqual(await put({ description: "new" }), [200, undefined]);
    const { json } = await ask("owner", "GET", at(SHELF, "roleAssignments", ID));
    assert.equal((json as { properties: { description: string } }).properties.description, "new");
    const fixed = [403, "RoleAssignmentUpdateNotPermitted"];
    assert.deepEqual(await put({ roleDefinitionId: READER }), fixed);
    assert.deepEqual(await put({ principalId: "owner" }), fixed);
    assert.deepEqual(await put({}, "/shelves/2"), fixed);
    assert.deepEqual(await put({}, SHELF, OTHER_ID), [409, "RoleAssignmentExists"]);
  });

  test("answers one 201 and conflicts when many ask for the same grant at a time", async () => {
    const { ask } = await authorization();
    const ids = Array.from({ length: 20 }, (_, count) => `${ID.slice(0, -2)}${count + 10}`);
    const answers = await Promise.all(
      ids.map((id) => ask("owner", "PUT", at(SHELF, "roleAssignments", id), assignment())),
    );
    const codes = answers.map(({ status, code }) => `${status} ${code ?? ""}`).toSorted();
    assert.deepEqual(codes, ["201 ", ...Array(19).fill("409 RoleAssignmentExists")]);
  });

  test("answers one 201 when many ask for different grants under one id", async () => {
    const { ask } = await authorization();
    const url = at(SHELF, "roleAssignments", ID);
    const bodies = [assignment(), assignment({ roleDefinitionId: READER })];
    const answers = await Promise.all(bodies.map((body) => ask("owner", "PUT", url, body)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 403],
    );
  });

  test("answers 400 for what is missing, wrong, or would widen the grant unseen", async () => {
    const { ask } = await authorization();
    const broken: [object, string][] = [
      [{ roleDefinitionId: "nope" }, "RoleDefinitionDoesNotExist"],
      [{ principalId: "nobody" }, "PrincipalNotFound"],
      [{ principalType: "Group" }, "PrincipalTypeMismatch"],
      [{ principalId: undefined }, "InvalidRequest"],
      [{ condition: "@Resource[name] StringEquals 'a'" }, "UnsupportedProperty"],
    ];
    for (const [change, code] of broken) {
      const url = at(SHELF, "roleAssignments", ID);
      const answer = await ask("owner", "PUT", url, assignment(change));
      assert.deepEqual([answer.status, answer.code], [400, code], JSON.stringify(change));
    }
    const noId = await ask("owner", "PUT", at(SHELF, "roleAssignments", "7"), assignment());
    assert.deepEqual([noId.status, noId.code], [400, "InvalidRoleAssignmentId"]);
    const noScope = await ask("owner", "GET", at("/a//b", "roleAssignments"));
    assert.deepEqual([noScope.status, noScope.code], [400, "InvalidScope"]);
    const url = `${SHELF}/providers/Svc.Authorization/roleAssignments?api-version=1999-01-01`;
    assert.equal((await ask("owner", "GET", url)).code, "UnsupportedApiVersion");
  });

  test("tells whoever lacks the right nothing of what exists", async () => {
    const { ask } = await authorization();
    await ask("owner", "PUT", at(SHELF, "roleAssignments", ID), assignment());
    for (const id of [ID, OTHER_ID]) {
      const url = at(SHELF, "roleAssignments", id);
      const answers = await Promise.all([
        ask("jane", "PUT", url, assignment()),
        ask("jane", "GET", url),
        ask("jane", "DELETE", url),
        ask("jane", "GET", at(SHELF, "roleAssignments")),
        ask("jane", "DELETE", at(SHELF, "roleDefinitions", id)),
        ask("jane", "GET", at(SHELF, "roleDefinitions", id)),
      ]);
      for (const { status, code } of answers) {
        assert.deepEqual([status, code], [403, "AuthorizationFailed"]);
      }
    }
  });

  test("reaches an assignment at its own scope only", async () => {
    const { ask } = await withShelfOwner();
    await ask("owner", "PUT", at("/shelves/10", "roleAssignments", ID), assignment());
    const here = at(SHELF, "roleAssignments", ID);
    assert.equal((await ask("robot", "GET", here)).status, 404);
    assert.equal((await ask("robot", "DELETE", here)).status, 204);
    const there = at("/shelves/10", "roleAssignments", ID);
    assert.equal((await ask("robot", "DELETE", there)).status, 403);
    assert.equal((await ask("owner", "GET", there)).status, 200);
  });

  test("lists what is at, above and below the scope", async () => {
    const { ask } = await authorization();
    const put = (scope: string, id: string) =>
      ask("owner", "PUT", at(scope, "roleAssignments", id), assignment());
    await put("/shelves", ID);
    await put("/shelves/1/books/2", OTHER_ID);
    await put("/shelves/10", ROLE);
    const listed = async (filter: string) => {
      const url = `${at(SHELF, "roleAssignments")}&$filter=${encodeURIComponent(filter)}`;
      const { json } = await ask("owner", "GET", url);
      const { value } = json as { value: { properties: { scope: string } }[] };
      return value.map(({ properties }) => properties.scope).toSorted();
    };
    assert.deepEqual(await listed(""), ["/", "/shelves", "/shelves/1/books/2"]);
    assert.deepEqual(await listed("atScope()"), ["/", "/shelves"]);
    assert.deepEqual(await listed("atScope() and principalId eq 'jane'"), ["/shelves"]);
  });

  test("works at the root, however many slashes stand for it", async () => {
    const { ask } = await authorization();
    const made = await ask("owner", "PUT", at("", "roleAssignments", ID), assignment());
    const { id } = made.json as { id: string };
    assert.equal(id, `/providers/Svc.Authorization/roleAssignments/${ID}`);
    for (const root of ["", "/", "//"]) {
      const found = await ask("owner", "GET", at(root, "roleAssignments", ID));
      assert.deepEqual([found.status, found.json], [200, made.json], `"${root}"`);
    }
  });
});

suite("{scope}/providers/Svc.Authorization/roleDefinitions/{id}", () => {
  const viewer = {
    properties: {
      roleName: "Viewer",
      type: "CustomRole",
      assignableScopes: [SHELF],
      permissions: [{ actions: ["Svc.Storage/books/read"] }],
    },
  };

  test("makes, finds, lists and removes a role where it may be assigned", async () => {
    const { ask } = await withShelfOwner();
    const url = at(SHELF, "roleDefinitions", ROLE);
    const made = await ask("robot", "PUT", url, viewer);
    assert.equal(made.status, 201);
    assert.deepEqual(made.json, {
      id: `/providers/Svc.Authorization/roleDefinitions/${ROLE}`,
      name: ROLE,
      type: "Svc.Authorization/roleDefinitions",
      properties: {
        roleName: "Viewer",
        description: "",
        type: "CustomRole",
        assignableScopes: [SHELF],
        permissions: [
          {
            actions: ["Svc.Storage/books/read"],
            notActions: [],
            dataActions: [],
            notDataActions: [],
          },
        ],
      },
    });
    const names = async (scope: string, filter = "") => {
      const query = `&$filter=${encodeURIComponent(filter)}`;
      const { json } = await ask("owner", "GET", at(scope, "roleDefinitions") + query);
      const { value } = json as { value: { properties: { roleName: string } }[] };
      return value.map(({ properties }) => properties.roleName);
    };
    assert.ok((await names(`${SHELF}/books/2`)).includes("Viewer"));
    assert.ok(!(await names("/shelves")).includes("Viewer"));
    assert.ok((await names("/shelves", "atScopeAndBelow()")).includes("Viewer"));
    assert.deepEqual(await names(SHELF, "type eq 'CustomRole'"), ["Viewer"]);
    const byId = await ask("robot", "GET", at("", "roleDefinitions", ROLE));
    assert.deepEqual([byId.status, byId.json], [200, made.json]);
    const elsewhere = await ask("owner", "GET", at("/shelves/2", "roleDefinitions", ROLE));
    assert.deepEqual([elsewhere.status, elsewhere.code], [404, "RoleDefinitionNotFound"]);
    const removed = await ask("robot", "DELETE", url);
    assert.deepEqual([removed.status, removed.json], [200, made.json]);
    assert.equal((await ask("robot", "DELETE", url)).status, 204);
  });

  test("is not a way to change what is granted elsewhere", async () => {
    const { ask } = await withShelfOwner();
    const wide = { properties: { ...viewer.properties, assignableScopes: ["/shelves"] } };
    const url = at(SHELF, "roleDefinitions", ROLE);
    assert.equal((await ask("owner", "PUT", url, wide)).status, 201);
    const taken = await ask("robot", "PUT", url, viewer);
    assert.deepEqual([taken.status, taken.code], [403, "AuthorizationFailed"]);
    assert.equal((await ask("robot", "DELETE", url)).status, 403);
    const builtIn = await ask("owner", "DELETE", at("", "roleDefinitions", READER));
    assert.deepEqual([builtIn.status, builtIn.code], [403, "BuiltInRoleReadOnly"]);
    const typed = { properties: { ...viewer.properties, type: "BuiltInRole" } };
    assert.equal((await ask("owner", "PUT", url, typed)).code, "InvalidRequest");
  });
});
