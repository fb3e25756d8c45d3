import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { authorization, callerNamed, READER } from "./authorization.fixture.ts";

const path = "/authorization/roleAssignments";
const OWNER = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635";
const ABSENT = "00000000-0000-4000-8000-0000000000e9";

function idOf(headers: Record<string, unknown>): string {
  return String(headers["location"]).split("/").at(-1)?.split("?")[0] ?? "";
}

const robot = { principalObjectId: "robot", principalType: "ServicePrincipal" };

suite("who may see and change assignments", () => {
  test("is not told what exists without a right anywhere", async () => {
    const { ask, grant } = await authorization();
    const { headers } = await grant("owner");
    for (const id of [idOf(headers), ABSENT]) {
      for (const method of ["GET", "DELETE"] as const) {
        const { status, code } = await ask("robot", method, `${path}/${id}`);
        assert.deepEqual([status, code], [403, "AuthorizationFailed"]);
      }
    }
  });

  test("takes back below its own scope, and finds nothing elsewhere", async () => {
    const { ask, grant } = await authorization();
    await grant("owner", { ...robot, roleDefinitionId: OWNER, scope: "/shelves/1" });
    const mine = await grant("owner", { scope: "/shelves/1/books/2" });
    const neighbour = await grant("owner", { scope: "/shelves/10" });
    for (const id of [idOf(neighbour.headers), ABSENT]) {
      for (const method of ["GET", "DELETE"] as const) {
        const { status, code } = await ask("robot", method, `${path}/${id}`);
        assert.deepEqual([status, code], [404, "RoleAssignmentNotFound"]);
      }
    }
    assert.equal((await ask("robot", "DELETE", `${path}/${idOf(mine.headers)}`)).status, 204);
    assert.equal((await ask("owner", "GET", `${path}/${idOf(neighbour.headers)}`)).status, 200);
  });

  test("is refused where it may read but not take back", async () => {
    const { ask, grant } = await authorization();
    const { headers } = await grant("owner");
    await grant("owner", { ...robot, roleDefinitionId: READER, scope: "/" });
    await grant("owner", { ...robot, roleDefinitionId: OWNER, scope: "/desks" });
    const { status, code, json } = await ask("robot", "DELETE", `${path}/${idOf(headers)}`);
    assert.deepEqual([status, code], [403, "AuthorizationFailed"]);
    assert.match(JSON.stringify(json), /roleAssignments\/delete at the scope \/shelves\/1/);
  });

  test("loses its right with the very request that takes it", async () => {
    const { ask, grant } = await authorization();
    const { headers } = await grant("owner", { ...robot, roleDefinitionId: OWNER, scope: "/" });
    const answers = await Promise.all([
      ask("owner", "DELETE", `${path}/${idOf(headers)}`),
      grant("robot"),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [204, 403],
    );
  });
});

suite("the last owner of the root", () => {
  test("remains, when two owners remove each other at the same time", async () => {
    const { ask, grant } = await authorization();
    const second = await grant("owner", { roleDefinitionId: OWNER, scope: "/" });
    const { json } = await ask("owner", "GET", `${path}?$filter=principalId eq 'owner'`);
    const [first] = (json as { value: { id: string }[] }).value;
    const answers = await Promise.all([
      ask("owner", "DELETE", `${path}/${idOf(second.headers)}`),
      ask("jane", "DELETE", `${path}/${first?.id}`),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [204, 403],
    );
  });

  test("is not one whose principal is gone", async () => {
    const { ask, grant, known } = await authorization();
    await grant("owner", { roleDefinitionId: OWNER, scope: "/" });
    delete known["jane"];
    const { json } = await ask("owner", "GET", `${path}?$filter=principalId eq 'owner'`);
    const [own] = (json as { value: { id: string }[] }).value;
    const { status, code } = await ask("owner", "DELETE", `${path}/${own?.id}`);
    assert.deepEqual([status, code], [400, "LastOwnerAssignment"]);
  });

  test("cannot be deleted as a principal", async () => {
    const { service, ask } = await authorization();
    await assert.rejects(service.principalRemoved("owner"), { code: "LastOwnerAssignment" });
    assert.equal((await ask("owner", "GET", path)).status, 200);
  });
});

suite("groups", () => {
  const write = { action: "Svc.Storage/books/write", scope: "/shelves/1", plane: "data" } as const;

  test("give what they have to their members, nested and in circles", async () => {
    const { grant, service, ask } = await authorization();
    const group = { principalObjectId: "loop", principalType: "Unknown" };
    const { headers } = await grant("owner", group);
    assert.equal(service.decide(callerNamed("jane"), write), true);
    assert.equal(service.decide(callerNamed("robot"), write), false);
    const shown = await ask("owner", "GET", `${path}/${idOf(headers)}`);
    assert.equal((shown.json as { principalType: string }).principalType, "Group");
    await ask("owner", "DELETE", `${path}/${idOf(headers)}`);
    assert.equal(service.decide(callerNamed("jane"), write), false);
  });
});

suite("a request's body", () => {
  test("may lack its type, and may be absent where none is needed", async () => {
    const { app, grant } = await authorization();
    const authorizationHeader = { authorization: "Bearer owner" };
    const url = `${path}?api-version=2022-03-01-preview`;
    const grantText = JSON.stringify({
      principalObjectId: "jane",
      principalType: "User",
      roleDefinitionId: READER,
      scope: "/",
    });
    const post = async (headers: object, body?: string) => {
      const all = { ...authorizationHeader, ...headers };
      const answer = await app.inject({ method: "POST", url, headers: all, ...(body && { body }) });
      return [answer.statusCode, answer.json<{ error?: { code: string } }>().error?.code];
    };
    const json = { "content-type": "application/json" };
    assert.deepEqual(await post(json), [400, "InvalidRequest"]);
    assert.deepEqual(await post({}, grantText), [201, undefined]);
    assert.deepEqual(await post(json, "[]"), [400, "InvalidRequest"]);
    assert.deepEqual(await post(json, '{"__proto__": {}}'), [400, "InvalidRequest"]);
    assert.deepEqual(await post({ "content-type": "text/xml" }, "<a/>"), [
      415,
      "UnsupportedMediaType",
    ]);
    const { headers } = await grant("owner");
    const deleted = await app.inject({
      method: "DELETE",
      url: String(headers["location"]),
      headers: { ...authorizationHeader, ...json },
    });
    assert.equal(deleted.statusCode, 204);
  });
});
