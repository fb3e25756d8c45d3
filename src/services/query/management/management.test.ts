import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { startQuery, type TestQuery } from "../query.fixture.ts";

suite("management commands", () => {
  let query: TestQuery;
  before(async () => {
    query = await startQuery();
  });
  after(() => query[Symbol.asyncDispose]());

  async function refusal(csl: string) {
    const { status, json } = await query.post("/v1/rest/mgmt", { db: "db", csl });
    const { error } = json as { error: { code: string; "@message": string } };
    return { status, code: error.code, said: error["@message"] };
  }

  test("make, show, change and drop tables", async () => {
    const created = await query.command(
      ".create table Events (At:datetime, ['a b']:string) with (folder='f', docstring=\"d\")",
    );
    const columns = [
      { Name: "At", Type: "System.DateTime", CslType: "datetime" },
      { Name: "a b", Type: "System.String", CslType: "string" },
    ];
    assert.deepEqual(
      created.map((row) => row.with(1, JSON.parse(String(row[1])))),
      [
        [
          "Events",
          {
            Name: "Events",
            EntityType: "Table",
            Folder: "f",
            DocString: "d",
            OrderedColumns: columns,
          },
          "db",
          "f",
          "d",
        ],
      ],
    );
    assert.deepEqual(await query.command(".show tables"), [["Events", "db", "f", "d"]]);
    assert.deepEqual(await query.command(".show table Events cslschema"), [
      ["Events", "At:datetime,['a b']:string", "db", "f", "d"],
    ]);
    await query.command(".alter-merge table Events (n:long)");
    await query.command(".rename column Events.n to m");
    await query.command(".alter column Events.m type=real");
    await query.command(".drop table Events columns (['a b'])");
    await query.command(".rename table Events to Things");
    assert.deepEqual(await query.command(".show table Things cslschema"), [
      ["Things", "At:datetime,m:real", "db", "f", "d"],
    ]);
    assert.deepEqual(await query.command(".drop table Things"), []);
    assert.deepEqual(await query.command(".drop table Things ifexists"), []);
    assert.deepEqual(await refusal(".drop table Things"), {
      status: 400,
      code: "BadRequest_EntityNotFound",
      said: "Table 'Things' does not exist in database 'db'.",
    });
  });

  test("make and call functions", async () => {
    await query.command(
      ".create-or-alter function with (docstring='twice') Twice(x:long) { x * 2 }",
    );
    assert.deepEqual(await query.command(".show functions"), [
      ["Twice", "(x:long)", "{ x * 2 }", "", "twice"],
    ]);
    assert.deepEqual(await query.query("print Twice(21)"), [[42]]);
    assert.equal((await refusal(".create function Twice(x:long) { x }")).status, 400);
    assert.deepEqual(await query.command(".drop function Twice"), [["Twice"]]);
    const broken = "Broken() { Nowhere | take 1 }";
    assert.match((await refusal(`.create function ${broken}`)).said, /Nowhere/);
    await query.command(`.create function with (skipvalidation=true) ${broken}`);
    await query.command(".drop function Broken");
  });

  test("pipe their result into a query", async () => {
    await query.command(".create tables A (x:long), B (x:long)");
    const csl = ".show tables | where TableName startswith 'A' | project TableName, n = 1";
    assert.deepEqual(await query.command(csl), [["A", 1]]);
    assert.deepEqual(await query.command(".show databases | count"), [[1]]);
  });

  test("keep hostile texts as they are, piped or not", async () => {
    const text = 'it\'s "q" \\ | drop \u0001 \u2028 😀 ]; .drop table T';
    const written = JSON.stringify(text);
    await query.command(`.create table Hostile (['a.b-c d']:string) with (docstring=${written})`);
    const shown = ".show tables | where TableName == 'Hostile' | project DocString";
    assert.deepEqual(await query.command(shown), [[text]]);
    assert.deepEqual(await query.command(".show tables (Hostile) | project DocString"), [[text]]);
    for (const name of ["a'b", 'a"b', "a;b", "a/b", "a\\b", "x".repeat(1025)]) {
      const csl = `.create table [${JSON.stringify(name)}] (a:long)`;
      assert.equal((await refusal(csl)).code, "BadRequest_EntityNameIsNotValid", name);
    }
  });

  test("describe everything in JSON, as editors read it", async () => {
    await query.command(".create-merge table J (a:long, d:dynamic)");
    await query.command(
      ".create-or-alter function F(T:(a:string, b:real), x:long = 3) { T | take x }",
    );
    const [[text] = []] = await query.command(".show databases schema as json");
    const { Databases } = JSON.parse(String(text)) as {
      Databases: Record<string, Record<"Functions" | "Tables", Record<string, object>>>;
    };
    const { db } = Databases;
    assert.deepEqual(db?.Tables["J"], {
      Name: "J",
      EntityType: "Table",
      OrderedColumns: [
        { Name: "a", Type: "System.Int64", CslType: "long" },
        { Name: "d", Type: "System.Object", CslType: "dynamic" },
      ],
    });
    assert.deepEqual(db?.Functions["F"], {
      Name: "F",
      InputParameters: [
        {
          Name: "T",
          Columns: [
            { Name: "a", Type: "System.String", CslType: "string" },
            { Name: "b", Type: "System.Double", CslType: "real" },
          ],
        },
        { Name: "x", Type: "System.Int64", CslType: "long", CslDefaultValue: "3" },
      ],
      Body: "{ T | take x }",
      Folder: "",
      DocString: "",
      FunctionKind: "Unknown",
      OutputColumns: [],
    });
    const [[same] = []] = await query.command(".show schema as json");
    assert.deepEqual(JSON.parse(String(same)), JSON.parse(String(text)));
  });

  test("keep the result of a query in a table", async () => {
    const three = "range x from 1 to 3 step 1 | project x, s = tostring(x)";
    const [[extent, , , , , rows] = []] = await query.command(`.set Kept <| ${three}`);
    assert.match(String(extent), /^[0-9a-f-]{36}$/);
    assert.equal(rows, 3);
    await query.command(`.append Kept <| ${three}`);
    assert.deepEqual(await query.query("Kept | summarize count(), sum(x)"), [[6, 12]]);
    await query.command(".set-or-replace Kept <| print x = 7, s = 'seven'");
    assert.deepEqual(await query.query("Kept"), [[7, "seven"]]);
    assert.match((await refusal(`.set Kept <| ${three}`)).said, /already exists/);
    assert.match((await refusal(".append Nowhere <| print 1")).said, /does not exist/);
    const wrong = await refusal(".append Kept <| print x = 'text', s = 'text'");
    assert.match(wrong.said, /column 'x' is of type long, that of the query of type string/);
  });

  test("go on after the answer when they are asynchronous", async () => {
    const [[id] = []] = await query.command(".set async Later <| range x from 1 to 5 step 1");
    const state = async () => {
      const [[seen] = []] = await query.command(`.show operations ${String(id)} | project State`);
      return seen;
    };
    while ((await state()) === "InProgress");
    assert.equal(await state(), "Completed");
    assert.deepEqual(await query.query("Later | count"), [[5]]);
    const details = await query.command(`.show operation ${String(id)} details`);
    assert.equal(details[0]?.[5], 5);
  });

  test("keep policies and mappings", async () => {
    await query.command(".create table P (a:long)");
    const policy = '{"SoftDeletePeriod":"10.00:00:00","Recoverability":"Disabled"}';
    const retention = ["RetentionPolicy", "[db].[P]", policy, "", "Table"];
    const words =
      ".alter-merge table P policy retention softdelete = 10d recoverability = disabled";
    assert.deepEqual(await query.command(words), [retention]);
    assert.deepEqual(await query.command(".show table P policy retention"), [retention]);
    await query.command(".delete table P policy retention");
    assert.deepEqual(await query.command(".show table P policy retention"), [
      ["RetentionPolicy", "[db].[P]", "null", "", "Table"],
    ]);
    assert.match((await refusal(".alter table P policy update '[]'")).said, /update cannot be set/);
    const mapping = '[{"Column":"a","Properties":{"Ordinal":"0"}}]';
    await query.command(`.create table P ingestion csv mapping "m" '${mapping}'`);
    const shown = await query.command(
      ".show table P ingestion mappings | project Name, Kind, Mapping",
    );
    assert.deepEqual(shown, [["m", "csv", mapping]]);
  });

  test("show what is and what was done, without secrets", async () => {
    await query.query("print h'hunter2'");
    const texts = await query.command(".show queries | project Text, State");
    assert.ok(texts.some(([text, state]) => text === 'print h"*****"' && state === "Completed"));
    const own = await query.command(".show commands | project Principal", "viewer");
    assert.deepEqual(
      own.filter(([principal]) => principal !== "viewer"),
      [],
    );
    const all = await query.command(".show commands | summarize dcount(Principal)", "monitor");
    assert.ok(Number(all[0]?.[0]) > 1);
    assert.equal((await query.command(".show version"))[0]?.[0], "1.2.3");
    assert.deepEqual(await query.command(".show capacity"), [["Queries", 4, 0, 4]]);
  });

  test("cancel a query by its id, and tell its client", async () => {
    const slow =
      "range x from 1 to 300000 step 1 | extend k = 1 " +
      "| join kind=inner (range y from 1 to 300000 step 1 | extend k = 1) on k " +
      "| summarize sum(x * y)";
    const properties = { ClientRequestId: "slow;1" };
    const running = query.post("/v2/rest/query", { db: "db", csl: slow, properties });
    const cancel = () =>
      query.post("/v1/rest/mgmt", { db: "db", csl: '.cancel query "slow;1"' }, "admin");
    while ((await cancel()).status !== 200);
    const { status, json } = await running;
    assert.equal(status, 400);
    assert.match(JSON.stringify(json), /The query was cancelled by a command/);
  });

  test("run one after the other in a script", async () => {
    const script = ".create table S1 (a:long)\n\n// why\n.drop table S2\n.drop table S1";
    const steps = await query.command(`.execute database script <|\n${script}`);
    assert.deepEqual(
      steps.map((step) => [step[1], step[3]]),
      [
        ["CreateTable", "Completed"],
        ["DropTable", "Failed"],
        ["", "Skipped"],
      ],
    );
    const all = ".execute database script with (ContinueOnErrors=true) <|\n";
    const states = (await query.command(`${all}${script}`)).map((step) => step[3]);
    assert.deepEqual(states, ["Completed", "Failed", "Completed"]);
    const [[, , , result, reason] = []] = await query.command(
      ".execute database script <|\n.create table S3 (a:long)",
      "viewer",
    );
    assert.equal(result, "Failed");
    assert.match(String(reason), /may not perform the data action/);
  });

  test("are refused by name when they are not done here", async () => {
    const { status, said } = await refusal(".export to csv ('x') <| print 1");
    assert.equal(status, 400);
    assert.match(said, /The command \.export to csv \(ExportToStorage\) is not supported here/);
    assert.match((await refusal(".get ingestion resources")).said, /\.get ingestion resources/);
    assert.match((await refusal(".show tabels")).said, /no command like this here: \.show tabels/);
    assert.match((await refusal(".create table X (a:nope)")).said, /nope/);
  });
});
