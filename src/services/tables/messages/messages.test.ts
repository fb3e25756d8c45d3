import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { required, SET, startTables, TABLE } from "../tables.fixture.ts";

const TYPE = `Microsoft.Dynamics.CRM.${TABLE}`;
const target = (more: object = {}) => ({ ...required, "@odata.type": TYPE, ...more });
const bulk = (name: string) => `/${SET}/Microsoft.Dynamics.CRM.${name}`;

suite("bulk messages", () => {
  test("create, change and upsert many rows in one transaction", async () => {
    await using tables = await startTables();
    const Targets = Array.from({ length: 250 }, (_, at) => target({ [TABLE]: `row ${at}` }));
    const made = await tables.ask("POST", bulk("CreateMultiple"), { body: { Targets } });
    assert.equal(made.status, 200);
    const ids = made.json["Ids"] as string[];
    assert.equal(new Set(ids).size, 250);
    const third = await tables.ask("GET", `/${SET}(${ids[2]})`);
    assert.equal(third.json[TABLE], "row 2");
    const changes = ids.slice(0, 2).map((id) => ({
      "@odata.type": TYPE,
      [`${TABLE}id`]: id,
      svc_isseen: true,
    }));
    const changed = await tables.ask("POST", bulk("UpdateMultiple"), {
      body: { Targets: changes },
    });
    assert.equal(changed.status, 204);
    assert.equal((await tables.ask("GET", `/${SET}(${ids[1]})`)).json["svc_isseen"], true);
    const upserts = [{ ...changes[0], svc_isseen: false }, target({ [TABLE]: "new" })];
    const upserted = await tables.ask("POST", bulk("UpsertMultiple"), {
      body: { Targets: upserts },
    });
    const results = upserted.json["Results"] as { RecordCreated: boolean }[];
    assert.deepEqual(
      results.map(({ RecordCreated }) => RecordCreated),
      [false, true],
    );
    assert.equal((await tables.ask("GET", `/${SET}/$count`)).text, "251");
  });

  test("change nothing when one row is refused, and say which type is missing", async () => {
    await using tables = await startTables();
    const Targets = [target(), target({ svc_topic: 3 })];
    const refused = await tables.ask("POST", bulk("CreateMultiple"), { body: { Targets } });
    assert.deepEqual([refused.status, refused.code], [400, "0x8004431a"]);
    assert.equal((await tables.ask("GET", `/${SET}/$count`)).text, "0");
    const untyped = await tables.ask("POST", bulk("CreateMultiple"), {
      body: { Targets: [required] },
    });
    assert.match(untyped.message, /^Targets\[0\] has the @odata\.type undefined/);
    const gone = await tables.ask("POST", bulk("DeleteMultiple"), { body: { Targets } });
    assert.equal(gone.status, 501);
  });
});

suite("IsValidStateTransition", () => {
  test("tells which states and statuses go together, as a function and as an action", async () => {
    await using tables = await startTables();
    const id = await tables.interaction();
    const ask = async (state: string, status: number) => {
      const entity = encodeURIComponent(JSON.stringify({ "@odata.id": `${SET}(${id})` }));
      const path =
        "/IsValidStateTransition(Entity=@p1,NewState=@p2,NewStatus=@p3)" +
        `?@p1=${entity}&@p2='${state}'&@p3=${status}`;
      return (await tables.ask("GET", path)).json["IsValid"];
    };
    assert.deepEqual(
      [await ask("Active", 1), await ask("Inactive", 2), await ask("Inactive", 1)],
      [true, true, false],
    );
    const body = {
      Entity: { "@odata.type": TYPE, [`${TABLE}id`]: id },
      NewState: "Inactive",
      NewStatus: 2,
    };
    const posted = await tables.ask("POST", "/IsValidStateTransition", { body });
    assert.equal(posted.json["IsValid"], true);
  });

  test("is among the messages that clients can ask for", async () => {
    await using tables = await startTables();
    const ask = async (message: string) => {
      const path =
        "/sdkmessagefilters?$select=sdkmessagefilterid&$filter=sdkmessageid/name eq @message and " +
        `primaryobjecttypecode eq @table&@message='${message}'&@table='${TABLE}'`;
      const { json } = await tables.ask("GET", path.replaceAll(" ", "%20"));
      return (json["value"] as unknown[]).length;
    };
    assert.deepEqual([await ask("CreateMultiple"), await ask("DeleteMultiple")], [1, 0]);
  });
});
