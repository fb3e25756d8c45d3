import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { DynamicsWebApi } from "dynamics-web-api";
import { startAtollProcess, type AtollProcess } from "../support/atoll-process.ts";

const SET = "svc_opportunityresearchuserinteractionses";
const TABLE = "svc_opportunityresearchuserinteractions";
const row = {
  [TABLE]: "From the client",
  svc_opportunityid: "o1",
  svc_sarid: "s1",
  svc_uiitemid: "u1",
  svc_topic: 1,
};

suite("dynamics-web-api", () => {
  let atoll: AtollProcess;
  let api: DynamicsWebApi;

  before(async () => {
    atoll = await startAtollProcess("--only", "tables");
    const { gateway, credentials, tenant_id } = atoll.endpoints;
    const { client_id, client_secret } = credentials.client;
    const answer = await fetch(`${gateway}/common/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_id,
        client_secret,
        tenant: tenant_id,
        scope: `${gateway}/.default`,
      }),
    });
    const { access_token } = (await answer.json()) as { access_token: string };
    api = new DynamicsWebApi({
      serverUrl: gateway,
      dataApi: { version: "9.2" },
      onTokenRefresh: async () => access_token,
    });
  });

  after(() => atoll.stop());

  test("creates, reads, changes, lists and deletes rows", async () => {
    const id = idFrom(await api.create({ collection: SET, data: row }));
    assert.match(id, /^[0-9a-f-]{36}$/);
    const read = await api.retrieve<Record<string, unknown>>({
      collection: SET,
      key: id,
      select: [TABLE, "svc_topic"],
    });
    assert.deepEqual([read[TABLE], read["svc_topic"]], ["From the client", 1]);
    await api.update({ collection: SET, key: id, data: { svc_isdone: true } });
    const listed = await api.retrieveMultiple({ collection: SET, select: ["svc_isdone"] });
    assert.deepEqual(
      listed.value.map((one: Record<string, unknown>) => one["svc_isdone"]),
      [true],
    );
    assert.equal(await api.deleteRecord({ collection: SET, key: id }), true);
  });
});

/** Without a representation the client answers the id, whatever its types say. */
function idFrom(created: unknown): string {
  if (typeof created === "string") return created;
  throw new Error("The client has no id of what it has created.");
}
