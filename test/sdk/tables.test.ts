import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { DynamicsWebApi } from "dynamics-web-api";
import { startAtollProcess, type AtollProcess } from "../support/atoll-process.ts";

const SET = "svc_opportunityresearchuserinteractionses";
const TABLE = "svc_opportunityresearchuserinteractions";
const TYPE = `Microsoft.Dynamics.CRM.${TABLE}`;

interface Interaction {
  [name: string]: unknown;
}

const row: Interaction = {
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

  async function create(collection: string, data: Interaction): Promise<string> {
    return idFrom(await api.create<Interaction>({ collection, data }));
  }

  async function read(key: string, select: string[]): Promise<unknown[]> {
    const found = await api.retrieve<Interaction>({ collection: SET, key, select });
    return select.map((name) => found[name]);
  }

  test("creates, reads, changes and deletes a row", async () => {
    const key = await create(SET, row);
    assert.deepEqual(await read(key, [TABLE, "svc_topic"]), ["From the client", 1]);
    await api.update({ collection: SET, key, data: { svc_isdone: true } });
    const fieldValuePair = { svc_result: "good" };
    await api.updateSingleProperty({ collection: SET, key, fieldValuePair });
    assert.deepEqual(await read(key, ["svc_isdone", "svc_result"]), [true, "good"]);
    assert.equal(await api.deleteRecord({ collection: SET, key }), true);
    await assert.rejects(api.retrieve({ collection: SET, key }), { status: 404 });
  });

  test("creates with a representation, upserts, and minds versions", async () => {
    const made = await api.create<Interaction>({
      collection: SET,
      data: row,
      returnRepresentation: true,
      select: ["svc_topic"],
    });
    const key = String(made[`${TABLE}id`]);
    const ifmatch = String(made["@odata.etag"]);
    await api.update({ collection: SET, key, data: { svc_topic: 2 }, ifmatch });
    const stale = await api.update({ collection: SET, key, data: { svc_topic: 1 }, ifmatch });
    assert.equal(stale, false);
    await api.upsert({ collection: SET, key, data: { svc_topic: 1 } });
    assert.deepEqual(await read(key, ["svc_topic"]), [1]);
    await api.deleteRecord({ collection: SET, key });
  });

  test("lists, filters, expands, counts and pages", async () => {
    const parent = await create("opportunities", { name: "Listed" });
    const bind = { "svc_opportunity@odata.bind": `/opportunities(${parent})` };
    for (const topic of [1, 2, 1]) await create(SET, { ...row, ...bind, svc_topic: topic });
    const asked = {
      collection: SET,
      select: ["svc_topic"],
      filter: `_svc_opportunity_value eq ${parent}`,
      expand: [{ property: "svc_opportunity", select: ["name"] }],
      orderBy: ["svc_topic desc"],
      count: true,
      maxPageSize: 2,
      includeAnnotations: "OData.Community.Display.V1.FormattedValue",
    };
    const first = await api.retrieveMultiple<Interaction>(asked);
    assert.equal(first["oDataCount"], 3);
    const [page] = first.value;
    assert.deepEqual(
      [page?.["svc_topic"], page?.["svc_topic@OData.Community.Display.V1.FormattedValue"]],
      [2, "Page"],
    );
    const expanded = page?.["svc_opportunity"] as { name: string } | undefined;
    assert.equal(expanded?.name, "Listed");
    const second = await api.retrieveMultiple<Interaction>(asked, first.oDataNextLink);
    assert.equal(second.value.length, 1);
    const { value } = await api.retrieveAll<Interaction>({ collection: SET, filter: asked.filter });
    assert.equal(value.length, 3);
    assert.equal(await api.count({ collection: SET, filter: "svc_topic eq 2" }), 1);
    await api.deleteRecord({ collection: "opportunities", key: parent });
    assert.equal(await api.count({ collection: SET }), 0);
  });

  test("associates and disassociates", async () => {
    const [primaryKey, relatedKey] = [
      await create("opportunities", { name: "o" }),
      await create(SET, row),
    ];
    const related = { relatedCollection: SET, relatedKey };
    const relationshipName = `opportunity_${TABLE}_svc_opportunity`;
    const collection = "opportunities";
    await api.associate({ collection, primaryKey, relationshipName, ...related });
    assert.deepEqual(await read(relatedKey, ["_svc_opportunity_value"]), [primaryKey]);
    await api.disassociate({ collection, primaryKey, relationshipName, relatedKey });
    assert.deepEqual(await read(relatedKey, ["_svc_opportunity_value"]), [null]);
    const single = {
      collection: SET,
      primaryKey: relatedKey,
      navigationProperty: "svc_opportunity",
    };
    const to = { relatedCollection: collection, relatedKey: primaryKey };
    await api.associateSingleValued({ ...single, ...to });
    assert.deepEqual(await read(relatedKey, ["_svc_opportunity_value"]), [primaryKey]);
    await api.disassociateSingleValued(single);
    assert.deepEqual(await read(relatedKey, ["_svc_opportunity_value"]), [null]);
  });

  test("calls functions and actions", async () => {
    const who = await api.callFunction<Interaction>({ functionName: "WhoAmI" });
    assert.equal(who["UserId"], atoll.endpoints.credentials.client.client_id);
    const target = { ...row, "@odata.type": TYPE };
    const Targets = [target, target];
    const made = await api.callAction<{ Ids: string[] }>({
      collection: SET,
      actionName: "Microsoft.Dynamics.CRM.CreateMultiple",
      action: { Targets },
    });
    assert.equal(made.Ids.length, 2);
    const valid = await api.callFunction<Interaction>({
      functionName: "IsValidStateTransition",
      parameters: {
        Entity: { "@odata.id": `${SET}(${made.Ids[0]})` },
        NewState: "Inactive",
        NewStatus: 2,
      },
    });
    assert.equal(valid["IsValid"], true);
  });

  test("does a batch as one transaction", async () => {
    api.startBatch();
    void api.create({ collection: "opportunities", data: { name: "batch" }, contentId: "1" });
    void api.create({
      collection: SET,
      data: { ...row, "svc_opportunity@odata.bind": "$1" },
    });
    const answers: unknown[] = await api.executeBatch();
    assert.equal(answers.length, 2);
    const found = await api.retrieveMultiple<Interaction>({
      collection: SET,
      filter: "svc_opportunity/name eq 'batch'",
    });
    assert.equal(found.value.length, 1);
  });

  test("reads FetchXML and metadata", async () => {
    const entityXml = `<entity name="${TABLE}"><attribute name="svc_topic"/></entity>`;
    const fetchXml = `<fetch count="2">${entityXml}</fetch>`;
    const fetched = await api.fetch<Interaction>({ collection: SET, fetchXml });
    assert.equal(fetched.value.length, 2);
    const key = `LogicalName='${TABLE}'`;
    const entity = await api.retrieveEntity({ key, select: ["EntitySetName", "SchemaName"] });
    assert.equal(entity.EntitySetName, SET);
    const attributes = await api.retrieveAttributes({
      entityKey: key,
      castType: "Microsoft.Dynamics.CRM.PicklistAttributeMetadata",
      select: ["LogicalName"],
    });
    assert.equal(attributes.value.length, 2);
  });
});

/** Without a representation the client answers the id, whatever its types say. */
function idFrom(created: unknown): string {
  if (typeof created === "string") return created;
  throw new Error("The client has no id of what it has created.");
}
