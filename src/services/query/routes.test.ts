import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { startQuery, type Got, type TestQuery } from "./query.fixture.ts";

interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly "@type": string;
    readonly "@message": string;
    readonly "@permanent": boolean;
    readonly innererror?: { readonly code: string; readonly "@message": string };
  };
}

function errorOf({ json }: Got): ErrorBody["error"] {
  return (json as ErrorBody).error;
}

interface Frame {
  readonly FrameType: string;
  readonly TableKind?: string;
  readonly Rows?: unknown[][];
}

function primaryRows({ json }: Got): unknown[][][] {
  return (json as Frame[])
    .filter(({ TableKind }) => TableKind === "PrimaryResult")
    .map(({ Rows = [] }) => Rows);
}

suite("the query endpoints", () => {
  let query: TestQuery;

  before(async () => {
    query = await startQuery();
    await query.command(".create table T (a:long, s:string)");
    await query.command(".set-or-append T <| range a from 1 to 3 step 1 | extend s = tostring(a)");
  });
  after(() => query[Symbol.asyncDispose]());

  test("answer a query in both versions", async () => {
    const body = { db: "db", csl: "T | sort by a asc" };
    const rows = [
      [1, "1"],
      [2, "2"],
      [3, "3"],
    ];
    assert.deepEqual(primaryRows(await query.post("/v2/rest/query", body)), [rows]);
    assert.deepEqual(await query.query(body.csl), rows);
  });

  test("answer a query that the URL holds", async () => {
    const csl = encodeURIComponent("T | count");
    const answer = await query.apps.query.inject({
      url: `/v2/rest/query?db=db&csl=${csl}`,
      headers: { authorization: "Bearer admin" },
    });
    const got = { status: answer.statusCode, headers: answer.headers, json: answer.json() };
    assert.deepEqual(primaryRows(got), [[[3]]]);
  });

  test("answer several statements with several tables", async () => {
    const body = { db: "db", csl: "T | count; T | where a > 1 | project a | sort by a asc" };
    const tables = primaryRows(await query.post("/v2/rest/query", body));
    assert.deepEqual(tables, [[[3]], [[2], [3]]]);
  });

  test("take parameters of a query", async () => {
    const csl = "declare query_parameters(x:long, s:string); T | where a == x or s == s | count";
    const properties = JSON.stringify({ Parameters: { x: "2", s: "3" } });
    const got = await query.post("/v2/rest/query", { db: "db", csl, properties });
    assert.equal(got.status, 200);
  });

  test("cut results where the request or the text says so", async () => {
    const set = await query.post("/v2/rest/query", {
      db: "db",
      csl: "set truncationmaxrecords = 2; T | sort by a asc | project a",
    });
    const [rows] = primaryRows(set);
    assert.deepEqual(rows?.slice(0, 2), [[1], [2]]);
    assert.match(JSON.stringify(rows?.[2]), /LimitsExceeded.*record count limit 2/);
    const properties = { Options: { query_take_max_records: 1 } };
    const taken = await query.post("/v2/rest/query", { db: "db", csl: "T | count", properties });
    assert.deepEqual(primaryRows(taken), [[[3]]]);
  });

  test("heed the options of a request", async () => {
    const run = (csl: string, Options: object) =>
      query.post("/v2/rest/query", { db: "db", csl, properties: { Options } });
    const columns = await run("T;", { query_results_apply_getschema: true });
    assert.deepEqual(
      primaryRows(columns)[0]?.map(([name]) => name),
      ["a", "s"],
    );
    const now = await run("print now()", { query_now: "2026-01-01T00:00:00Z" });
    assert.deepEqual(primaryRows(now), [[["2026-01-01T00:00:00.0000000Z"]]]);
    for (const [csl, options, said] of [
      ["T", { maxoutputcolumns: 1 }, /2 columns, more than maxoutputcolumns \(1\)/],
      ["select 1", { query_language: "sql" }, /query language sql is not supported/],
      ["T", { query_datetimescope_column: "At" }, /query_datetimescope_column is not supported/],
    ] as const) {
      const refused = await run(csl, options);
      assert.equal(refused.status, 400);
      assert.match(errorOf(refused)["@message"], said);
    }
  });

  test("refuse what does not parse or bind, in the service's words", async () => {
    const syntax = await query.post("/v2/rest/query", { db: "db", csl: "T | where (" });
    assert.equal(syntax.status, 400);
    assert.equal(errorOf(syntax).code, "BadRequest_SyntaxError");
    assert.match(errorOf(syntax)["@message"], /^Syntax error: SYN0002: .*\[line:position=1:/);
    const semantic = await query.post("/v1/rest/query", { db: "db", csl: "T | where b > 1" });
    assert.equal(semantic.status, 400);
    const { code, innererror, ...rest } = errorOf(semantic);
    assert.deepEqual([code, innererror?.code], ["General_BadRequest", "SEM0100"]);
    assert.match(rest["@message"], /^Semantic error: SEM0100: /);
    assert.equal(rest["@permanent"], true);
  });

  test("refuse a database that is not there, and name a near one", async () => {
    const got = await query.post("/v2/rest/query", { db: "dbx", csl: "T" });
    assert.deepEqual(
      [got.status, errorOf(got).code, errorOf(got)["@message"]],
      [400, "BadRequest_EntityNotFound", "There is no database 'dbx'; there is 'db'."],
    );
  });

  test("let nobody query without the right to", async () => {
    for (const who of ["ingestor", "monitor", "stranger"]) {
      const got = await query.post("/v2/rest/query", { db: "db", csl: "T" }, who);
      assert.deepEqual([got.status, errorOf(got).code], [403, "Forbidden"], who);
    }
    assert.equal((await query.query("T", "viewer")).length, 3);
    const answer = await query.apps.query.inject({ method: "POST", url: "/v2/rest/query" });
    assert.equal(answer.statusCode, 401);
    assert.match(String(answer.headers["www-authenticate"]), /^Bearer /);
  });

  test("hide databases that the caller may not query", async () => {
    await query.command(".create database other");
    const csl = "database('other').T";
    const got = await query.post("/v2/rest/query", { db: "db", csl }, "viewer");
    assert.equal(got.status, 400);
  });

  test("send commands and queries to where they belong", async () => {
    const command = await query.post("/v2/rest/query", { db: "db", csl: ".show tables" });
    assert.match(errorOf(command)["@message"], /send it to \/v1\/rest\/mgmt/);
    const text = await query.post("/v1/rest/mgmt", { db: "db", csl: "T | count" });
    assert.match(errorOf(text)["@message"], /send it to \/v1\/rest\/query/);
  });

  test("echo the request's id and name the activity", async () => {
    const answer = await query.apps.query.inject({
      method: "POST",
      url: "/v2/rest/query",
      headers: { authorization: "Bearer admin", "x-ms-client-request-id": "KNC.execute;7" },
      body: { db: "db", csl: "T" },
    });
    assert.equal(answer.headers["x-ms-client-request-id"], "KNC.execute;7");
    assert.match(String(answer.headers["x-ms-activity-id"]), /^[0-9a-f-]{36}$/);
  });

  test("compress long answers for those who can read them", async () => {
    const body = { db: "db", csl: "range x from 1 to 100000 step 1" };
    const answer = await query.apps.query.inject({
      method: "POST",
      url: "/v1/rest/query",
      headers: { authorization: "Bearer admin", "accept-encoding": "gzip,deflate" },
      body,
    });
    assert.equal(answer.headers["content-encoding"], "gzip");
    const { Tables } = JSON.parse(gunzipSync(answer.rawPayload).toString()) as {
      Tables: { Rows: unknown[] }[];
    };
    assert.equal(Tables[0]?.Rows.length, 100_000);
  });

  test("end a query that takes longer than it may", async () => {
    const properties = { Options: { servertimeout: "00:00:00.050" } };
    const csl =
      "range x from 1 to 100000 step 1 | extend k = 1 " +
      "| join kind=inner (range y from 1 to 100000 step 1 | extend k = 1) on k " +
      "| summarize sum(x * y)";
    const got = await query.post("/v2/rest/query", { db: "db", csl, properties });
    assert.equal(got.status, 504);
    assert.match(errorOf(got)["@message"], /time limit of 0.05 s \(servertimeout\)/);
  });
});

suite("more queries than may wait", () => {
  test("are answered with 429, and the others in their turn", async () => {
    await using query = await startQuery({
      limits: {
        recordsMax: 10,
        bytesMax: 1000,
        queryTimeoutMs: 60_000,
        commandTimeoutMs: 60_000,
        queriesMax: 1,
        ingestBytesMax: 1000,
      },
      resources: { threads: 1, memoryLimit: "256MB", queuedMax: 1 },
    });
    const csl = "range x from 1 to 2000000 step 1 | summarize sum(x)";
    const answers = await Promise.all(
      ["a", "b", "c", "d"].map((name) =>
        query.post("/v2/rest/query", { db: "db", csl: `${csl} | extend n = "${name}"` }),
      ),
    );
    const throttled = answers.filter(({ status }) => status === 429);
    assert.equal(answers.filter(({ status }) => status === 200).length, 4 - throttled.length);
    assert.ok(throttled.length > 0);
    const [first] = throttled;
    assert.ok(first !== undefined);
    assert.equal(first.headers["retry-after"], "1");
    assert.deepEqual(
      [errorOf(first).code, errorOf(first)["@permanent"]],
      ["TooManyRequests", false],
    );
  });
});

suite("beside queries", () => {
  let query: TestQuery;
  before(async () => {
    query = await startQuery();
  });
  after(() => query[Symbol.asyncDispose]());

  test("tells clients where to sign in", async () => {
    const answer = await query.apps.query.inject({ url: "/v1/rest/auth/metadata" });
    const { AzureAD } = answer.json<{ AzureAD: Record<string, unknown> }>();
    assert.deepEqual(
      [AzureAD["LoginEndpoint"], AzureAD["KustoServiceResourceId"]],
      ["http://auth.test", "http://cluster.test"],
    );
  });

  test("sends people to the query page with what their link holds", async () => {
    const link = "/db?query=H4sIAAAAAAAAAwsBAA%3D%3D&web=0";
    const answer = await query.apps.query.inject({ url: link });
    assert.equal(answer.statusCode, 302);
    assert.equal(
      answer.headers.location,
      "http://auth.test/console/query?database=db&query=H4sIAAAAAAAAAwsBAA%3D%3D&web=0",
    );
    const root = await query.apps.query.inject({ url: "/" });
    assert.equal(root.headers.location, "http://auth.test/console/query");
  });

  test("lets the pages of listed origins call, and no others", async () => {
    const preflight = (origin: string) =>
      query.apps.query.inject({
        method: "OPTIONS",
        url: "/v2/rest/query",
        headers: {
          origin,
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization,x-ms-user-id",
        },
      });
    const listed = await preflight("http://auth.test");
    assert.equal(listed.headers["access-control-allow-origin"], "http://auth.test");
    assert.equal(listed.headers["access-control-allow-headers"], "authorization,x-ms-user-id");
    const other = await preflight("http://evil.test");
    assert.equal(other.headers["access-control-allow-origin"], undefined);
    assert.equal(other.headers["access-control-allow-headers"], undefined);
    const refused = await query.apps.query.inject({
      method: "POST",
      url: "/v2/rest/query",
      headers: { origin: "http://auth.test" },
    });
    assert.deepEqual(
      [refused.statusCode, refused.headers["access-control-allow-origin"]],
      [401, "http://auth.test"],
    );
    assert.equal(refused.headers["x-svc-activity-id"], refused.headers["x-svc-request-id"]);
  });

  test("takes commands alone on the data management listener", async () => {
    const send = (url: string, csl: string) =>
      query.apps.ingest.inject({
        method: "POST",
        url,
        headers: { authorization: "Bearer admin" },
        body: { db: "db", csl },
      });
    const refused = await send("/v2/rest/query", "print 1");
    assert.equal(refused.statusCode, 400);
    assert.match(refused.body, /queries and streaming ingestion go to the engine at http:/);
    assert.equal((await send("/v1/rest/mgmt", ".show version")).statusCode, 200);
  });
});
