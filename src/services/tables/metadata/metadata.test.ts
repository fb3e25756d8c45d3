import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { SET, startTables, TABLE } from "../tables.fixture.ts";

suite("metadata", () => {
  test("names the tables, their sets and their keys", async () => {
    await using tables = await startTables();
    const path = "/EntityDefinitions?$select=LogicalName,EntitySetName,PrimaryIdAttribute";
    const { json } = await tables.ask("GET", path);
    const [first, second] = json["value"] as Record<string, unknown>[];
    assert.deepEqual(
      [first?.["LogicalName"], first?.["EntitySetName"], first?.["PrimaryIdAttribute"]],
      [TABLE, SET, `${TABLE}id`],
    );
    assert.equal(second?.["LogicalName"], "opportunity");
    const one = await tables.ask("GET", `/EntityDefinitions(LogicalName='${TABLE}')`);
    assert.deepEqual(
      [one.json["SchemaName"], one.json["TableType"], one.json["OwnershipType"]],
      ["svc_OpportunityResearchUserInteractions", "Standard", "None"],
    );
    const none = await tables.ask("GET", "/EntityDefinitions(LogicalName='nothing')");
    assert.equal(none.status, 404);
  });

  test("gives choices with their labels", async () => {
    await using tables = await startTables();
    const path =
      `/EntityDefinitions(LogicalName='${TABLE}')/Attributes/` +
      "Microsoft.Dynamics.CRM.PicklistAttributeMetadata" +
      "?$select=LogicalName&$expand=OptionSet,GlobalOptionSet";
    const { json } = await tables.ask("GET", path);
    type Choice = {
      LogicalName: string;
      OptionSet: { Options: { Value: number; Label: { UserLocalizedLabel: { Label: string } } }[] };
    };
    const labels = (json["value"] as Choice[]).map(({ LogicalName, OptionSet }) => [
      LogicalName,
      OptionSet.Options.map(({ Value, Label }) => [Value, Label.UserLocalizedLabel.Label]),
    ]);
    assert.deepEqual(labels, [
      [
        "svc_feedback",
        [
          [10_001, "Thumbs up"],
          [10_002, "Thumbs down"],
          [10_003, "None"],
        ],
      ],
      [
        "svc_topic",
        [
          [1, "Deal Risk"],
          [2, "Page"],
        ],
      ],
    ]);
  });

  test("tells what happens to interactions when their opportunity goes", async () => {
    await using tables = await startTables();
    const path = `/EntityDefinitions(LogicalName='${TABLE}')/ManyToOneRelationships`;
    const { json } = await tables.ask("GET", path);
    const found = (json["value"] as Record<string, unknown>[]).find(
      (one) => one["ReferencingAttribute"] === "svc_opportunity",
    );
    assert.deepEqual(found?.["CascadeConfiguration"], {
      Archive: "RemoveLink",
      Assign: "NoCascade",
      Delete: "Cascade",
      Merge: "NoCascade",
      Reparent: "NoCascade",
      RollupView: "NoCascade",
      Share: "NoCascade",
      Unshare: "NoCascade",
    });
  });

  test("describes everything in XML whose tags are closed and whose types exist", async () => {
    await using tables = await startTables();
    const { text, headers } = await tables.ask("GET", "/$metadata");
    assert.equal(headers["content-type"], "application/xml");
    const open: string[] = [];
    for (const [, end, name = "", self] of text.matchAll(/<(\/)?([\w:]+)[^<>?]*?(\/)?>/g)) {
      if (end === "/") assert.equal(open.pop(), name);
      else if (self !== "/") open.push(name);
    }
    assert.deepEqual(open, []);
    const defined = new Set(
      [...text.matchAll(/<(?:EntityType|ComplexType) Name="(\w+)"/g)].map(([, name]) => name),
    );
    const used = [...text.matchAll(/mscrm\.(\w+)/g)].map(([, name]) => name);
    assert.deepEqual(
      used.filter((name) => !defined.has(name)),
      [],
    );
    assert.match(text, new RegExp(`<Property Name="${TABLE}" Type="Edm.String" MaxLength="850"`));
  });
});
