import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, suite, test } from "node:test";
import { Client, ClientRequestProperties, KustoConnectionStringBuilder } from "azure-kusto-data";
import { DataFormat, IngestionProperties, StreamingIngestClient } from "azure-kusto-ingest";
import { startQuery, type TestQuery } from "#services/query/query.fixture.ts";

/** What the client shows of a refusal. */
interface Refused {
  readonly response?: {
    readonly status: number;
    readonly data: { error: Record<string, unknown> };
  };
}

suite("query, through azure-kusto-data and azure-kusto-ingest", () => {
  let query: TestQuery;
  let client: Client;
  let url = "";

  function connection(who: string) {
    return KustoConnectionStringBuilder.withAccessToken(url, who);
  }

  before(async () => {
    query = await startQuery();
    url = await query.apps.query.listen({ host: "127.0.0.1", port: 0 });
    client = new Client(connection("admin"));
    await client.executeMgmt(
      "db",
      ".create table T (a:long, s:string, at:datetime, took:timespan, b:bool, d:dynamic, r:real)",
    );
    await client.executeMgmt(
      "db",
      ".set-or-append T <| print a=9007199254740, s='x', at=datetime(2026-01-02T03:04:05.5), " +
        "took=time(00:00:01.5), b=true, d=dynamic({'k':[1,2]}), r=real(nan)",
    );
  });
  after(async () => {
    client.close();
    await query[Symbol.asyncDispose]();
  });

  test("runs queries in both versions, with every type", async () => {
    const answers = [await client.executeQuery("db", "T"), await client.executeQueryV1("db", "T")];
    for (const { primaryResults } of answers) {
      const [table] = primaryResults;
      assert.deepEqual(
        table?.columns.map(({ name, type }) => [name, type]),
        [
          ["a", "long"],
          ["s", "string"],
          ["at", "datetime"],
          ["took", "timespan"],
          ["b", "bool"],
          ["d", "dynamic"],
          ["r", "real"],
        ],
      );
      const [row] = [...(table?.rows() ?? [])].map((one) => one.toJSON<Record<string, unknown>>());
      const { a, s, at, took, b, d } = row ?? {};
      assert.deepEqual(
        [a, s, at, took, b, d],
        [9007199254740, "x", new Date("2026-01-02T03:04:05.500Z"), 1500, true, '{"k":[1,2]}'],
      );
    }
  });

  test("runs management commands", async () => {
    const { primaryResults } = await client.execute("db", ".show tables | project TableName");
    assert.deepEqual(
      [...(primaryResults[0]?.rows() ?? [])].map((row) => row.toJSON()),
      [{ TableName: "T" }],
    );
  });

  test("passes parameters and options", async () => {
    const properties = new ClientRequestProperties();
    properties.setParameter("n", 2);
    properties.setParameter("s", "it's");
    properties.setTimeout(60_000);
    const csl = "declare query_parameters(n:long, s:string); print n = n + 1, s = s";
    const { primaryResults } = await client.execute("db", csl, properties);
    assert.deepEqual(
      [...(primaryResults[0]?.rows() ?? [])].map((row) => row.toJSON<Record<string, unknown>>()),
      [{ n: 3, s: "it's" }],
    );
  });

  test("sees why a query is refused", async () => {
    const refused: Refused = await client.execute("db", "Nothing | take 1").catch((error) => error);
    assert.equal(refused.response?.status, 400);
    const { code, "@message": message } = refused.response?.data.error ?? {};
    assert.equal(code, "General_BadRequest");
    assert.match(String(message), /^Semantic error: SEM0100: .*Nothing/);
  });

  test("sees a result that was cut as an error", async () => {
    const properties = new ClientRequestProperties();
    properties.setOption("truncationmaxrecords", 5);
    const csl = "range x from 1 to 10 step 1";
    const cut = client.execute("db", csl, properties);
    await assert.rejects(cut, /exceeded the internal record count limit 5/);
  });

  test("streams rows into a table", async () => {
    await client.executeMgmt("db", ".create table Streamed (a:long, s:string)");
    const properties = { database: "db", table: "Streamed", format: DataFormat.CSV };
    const ingest = new StreamingIngestClient(connection("admin"), properties, false);
    await ingest.ingestFromStream(Readable.from([Buffer.from('1,"one"\n2,two\n')]));
    const { primaryResults } = await client.execute("db", "Streamed | sort by a asc");
    assert.deepEqual(
      [...(primaryResults[0]?.rows() ?? [])].map((row) => row.toJSON()),
      [
        { a: 1, s: "one" },
        { a: 2, s: "two" },
      ],
    );
    const wrong = new IngestionProperties({ ...properties, table: "Nowhere" });
    const refused: Refused = await ingest
      .ingestFromStream(Readable.from([Buffer.from("1,x\n")]), wrong)
      .catch((error) => error);
    assert.equal(refused.response?.status, 404);
    assert.equal(refused.response?.data.error["@permanent"], true);
    ingest.close();
  });

  test("streams a long result without losing a row", async () => {
    const csl = "range x from 1 to 200000 step 1 | extend s = strcat('row ', x)";
    const { primaryResults } = await client.execute("db", csl);
    const rows = [...(primaryResults[0]?.rows() ?? [])];
    assert.deepEqual(
      [rows.length, rows.at(-1)?.toJSON()],
      [200_000, { x: 200_000, s: "row 200000" }],
    );
  });
});
