import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  authorization,
  callerNamed,
  CONTRIBUTOR,
  READER,
  VERSION,
  WRITER,
} from "../authorization.fixture.ts";

const path = "/authorization/roleAssignments";
const write = {
  action: "Svc.Storage/books/write",
  scope: "/shelves/1/books/2",
  plane: "data",
} as const;

function idOf(headers: Record<string, unknown>): string {
  return String(headers["location"]).split("/").at(-1)?.split("?")[0] ?? "";
}

suite("POST /authorization/roleAssignments", () => {
  test("grants a role, says what it allows and where the assignment is", async () => {
    const { grant, service, ask } = await authorization();
    assert.equal(service.decide(callerNamed("jane"), write), false);
    const granted = await grant("owner");
    assert.deepEqual(
      [granted.status, granted.json],
      [
        201,
        {
          value: [
            {
              permissions: ["Svc.Storage/books/read", "Svc.Storage/books/*"],
              roleDefinitionId: WRITER,
              roleDefinitionName: "Book Writer",
            },
          ],
        },
      ],
    );
    assert.equal(service.decide(callerNamed("jane"), write), true);
    const there = await ask("owner", "GET", String(granted.headers["location"]));
    const { createdOn, ...shown } = there.json as Record<string, unknown>;
    assert.ok(!Number.isNaN(Date.parse(String(createdOn))));
    assert.deepEqual(shown, {
      id: idOf(granted.headers),
      principalObjectId: "jane",
      principalType: "User",
      roleDefinitionId: WRITER,
      roleDefinitionName: "Book Writer",
      scope: "/shelves/1",
      description: "",
      createdBy: "owner",
    });
  });

  test("grants once, however often and however many at a time the caller retries", async () => {
    const { grant, ask } = await authorization();
    const answers = await Promise.all(Array.from({ length: 20 }, () => grant("owner")));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    assert.equal(new Set(answers.map(({ headers }) => headers["location"])).size, 1);
    const list = await ask("owner", "GET", `${path}?$filter=principalId eq 'jane'`);
    assert.equal((list.json as { value: object[] }).value.length, 1);
  });

  test("takes the role's id, a path to it, or its name", async () => {
    const { grant } = await authorization();
    for (const roleDefinitionId of [
      WRITER.toUpperCase(),
      `/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/${WRITER}`,
      "book writer",
    ]) {
      assert.equal((await grant("owner", { roleDefinitionId })).status, 201);
    }
  });

  test("understands scopes in either dialect, without regard to case", async () => {
    const { grant, service } = await authorization();
    const scope = "/subscriptions/S/providers/microsoft.storage/storageAccounts/A/";
    assert.equal((await grant("owner", { scope })).status, 201);
    const inner = "/SUBSCRIPTIONS/s/providers/Svc.Storage/storageaccounts/a/x";
    assert.ok(service.decide(callerNamed("jane"), { ...write, scope: inner }));
  });

  test("answers 404 when the role definition or the principal does not exist", async () => {
    const { grant } = await authorization();
    const noRole = await grant("owner", { roleDefinitionId: "nope" });
    assert.deepEqual([noRole.status, noRole.code], [404, "RoleDefinitionNotFound"]);
    const noPrincipal = await grant("owner", { principalObjectId: "nobody" });
    assert.deepEqual([noPrincipal.status, noPrincipal.code], [404, "PrincipalNotFound"]);
  });

  test("says which field of a body is wrong, and changes nothing", async () => {
    const { grant, ask } = await authorization();
    const broken: [object, string, RegExp][] = [
      [{ principalObjectId: 7 }, "InvalidRequest", /principalObjectId must be string/],
      [{ principalObjectId: "" }, "InvalidRequest", /principalObjectId/],
      [{ principalType: "Robot" }, "InvalidRequest", /principalType/],
      [{ principalType: "Group" }, "PrincipalTypeMismatch", /jane is a User, not a Group/],
      [{ roleDefinitionId: undefined }, "InvalidRequest", /roleDefinitionId/],
      [{ scope: "shelves" }, "InvalidScope", /shelves.* does not begin with \//],
      [{ scope: "/a//b" }, "InvalidScope", /empty segment/],
      [{ scope: "/a/../b" }, "InvalidScope", /segment/],
      [{ scope: `/${"a".repeat(2048)}` }, "InvalidScope", /2049 characters, more than 2048/],
    ];
    for (const [change, code, message] of broken) {
      const answer = await grant("owner", change);
      assert.deepEqual([answer.status, answer.code], [400, code], JSON.stringify(change));
      assert.match(JSON.stringify(answer.json), message);
    }
    const list = await ask("owner", "GET", path);
    assert.equal((list.json as { value: object[] }).value.length, 1);
  });

  test("answers 400 for no body, no JSON and no version, 401 for no token", async () => {
    const { app, ask } = await authorization();
    const headers = { authorization: "Bearer owner" };
    const url = `${path}?${VERSION}`;
    assert.equal((await app.inject({ method: "POST", url, headers })).statusCode, 400);
    const json = { ...headers, "content-type": "application/json" };
    const half = await app.inject({ method: "POST", url, headers: json, body: "{" });
    assert.equal(half.statusCode, 400);
    const version = await ask("owner", "POST", `${path}?api-version=2001-01-01`, {});
    assert.deepEqual([version.status, version.code], [400, "UnsupportedApiVersion"]);
    assert.equal((await app.inject({ method: "POST", url: path, headers })).statusCode, 400);
    assert.equal((await app.inject({ method: "POST", url })).statusCode, 401);
  });

  test("lets only those grant who may, and tells others nothing else", async () => {
    const { grant, ask } = await authorization();
    const refused = await grant("robot", { roleDefinitionId: "nope" });
    assert.deepEqual([refused.status, refused.code], [403, "AuthorizationFailed"]);
    assert.match(
      JSON.stringify(refused.json),
      /Svc\.Authorization\/roleAssignments\/write at the scope \/shelves\/1/,
    );
    const contributor = { principalObjectId: "robot", principalType: "ServicePrincipal" };
    await grant("owner", { ...contributor, roleDefinitionId: CONTRIBUTOR, scope: "/" });
    assert.equal((await grant("robot")).status, 403);
    assert.equal((await ask("robot", "GET", path)).status, 200);
  });
});

suite("DELETE /authorization/roleAssignments/{id}", () => {
  test("is felt by the very next request", async () => {
    const { grant, ask, service } = await authorization();
    const { headers } = await grant("owner");
    const deleted = await ask("owner", "DELETE", `${path}/${idOf(headers)}`);
    assert.deepEqual([deleted.status, deleted.json], [204, undefined]);
    assert.equal(service.decide(callerNamed("jane"), write), false);
    const again = await ask("owner", "DELETE", `${path}/${idOf(headers)}`);
    assert.deepEqual([again.status, again.code], [404, "RoleAssignmentNotFound"]);
  });

  test("refuses ids that are none, callers who may not, and the last owner", async () => {
    const { grant, ask } = await authorization();
    const { headers } = await grant("owner");
    const noId = await ask("owner", "DELETE", `${path}/7`);
    assert.deepEqual([noId.status, noId.code], [400, "InvalidRoleAssignmentId"]);
    assert.equal((await ask("jane", "DELETE", `${path}/${idOf(headers)}`)).status, 403);
    const owners = await ask("owner", "GET", `${path}?$filter=principalId eq 'owner'`);
    const [last] = (owners.json as { value: { id: string }[] }).value;
    const refused = await ask("owner", "DELETE", `${path}/${last?.id}`);
    assert.deepEqual([refused.status, refused.code], [400, "LastOwnerAssignment"]);
  });
});

suite("GET /authorization/roleAssignments", () => {
  test("filters by principal, group, role and scope", async () => {
    const { grant, ask } = await authorization();
    await grant("owner");
    await grant("owner", {
      principalObjectId: "team",
      principalType: "Group",
      scope: "/shelves/2",
    });
    const found = async (filter: string) => {
      const url = `${path}?$filter=${encodeURIComponent(filter)}`;
      const { json } = await ask("owner", "GET", url);
      return (json as { value: Record<string, string>[] }).value
        .map(({ principalObjectId, scope }) => `${principalObjectId}@${scope}`)
        .toSorted();
    };
    assert.deepEqual(await found("principalId eq 'JANE'"), ["jane@/shelves/1"]);
    assert.deepEqual(await found("assignedTo('jane')"), ["jane@/shelves/1", "team@/shelves/2"]);
    assert.deepEqual(await found("scope eq '/Shelves/2'"), ["team@/shelves/2"]);
    assert.deepEqual(await found(`roleDefinitionId eq '${WRITER}' and assignedTo('team')`), [
      "team@/shelves/2",
    ]);
    assert.deepEqual(await found("atScope()"), ["owner@/"]);
    const wrong = await ask("owner", "GET", `${path}?$filter=name eq 'x'`);
    assert.deepEqual([wrong.status, wrong.code], [400, "InvalidFilter"]);
  });

  test("shows only what the caller may read", async () => {
    const { grant, ask } = await authorization();
    await grant("owner");
    const robot = { principalObjectId: "robot", principalType: "ServicePrincipal" };
    await grant("owner", { ...robot, roleDefinitionId: READER, scope: "/shelves/1" });
    const { json } = await ask("robot", "GET", path);
    const scopes = (json as { value: { scope: string }[] }).value.map(({ scope }) => scope);
    assert.deepEqual(scopes, ["/shelves/1", "/shelves/1"]);
    const none = await ask("jane", "GET", path);
    assert.deepEqual(none.json, { value: [] });
  });
});

suite("a principal that is gone", () => {
  test("takes its assignments with it, and an orphan never matches", async () => {
    const { grant, service, known, ask } = await authorization();
    await grant("owner");
    delete known["jane"];
    assert.equal(service.decide(callerNamed("jane"), write), false);
    await service.principalRemoved("jane");
    known["jane"] = "User";
    assert.equal(service.decide(callerNamed("jane"), write), false);
    const list = await ask("owner", "GET", `${path}?$filter=principalId eq 'jane'`);
    assert.deepEqual(list.json, { value: [] });
  });
});
