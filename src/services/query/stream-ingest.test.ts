import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, suite, test } from "node:test";
import { gzipSync } from "node:zlib";
import { startQuery, type TestQuery } from "./query.fixture.ts";

suite("ingestion", () => {
  let query: TestQuery;
  before(async () => {
    query = await startQuery();
    await query.command(".create table T (a:long, s:string)");
  });
  after(() => query[Symbol.asyncDispose]());

  async function send(path: string, body: Buffer | string, who = "ingestor") {
    const answer = await query.apps.query.inject({
      method: "POST",
      url: path,
      headers: { authorization: `Bearer ${who}`, "content-encoding": "gzip" },
      body,
    });
    return { status: answer.statusCode, json: answer.json<unknown>() };
  }

  async function rows(): Promise<unknown[][]> {
    const found = await query.query("T | sort by a asc");
    await query.command(".clear table T data");
    return found;
  }

  test("takes a body, compressed or not, and the next query sees it", async () => {
    const { status, json } = await send("/v1/rest/ingest/db/T?streamFormat=Csv", "1,one\n2,two\n");
    assert.deepEqual(
      [status, (json as { Tables: { Rows: unknown }[] }).Tables[0]?.Rows],
      [200, [[2, "Inactive", "Unknown", null]]],
    );
    await send("/v1/rest/ingest?db=db&table=T&streamFormat=csv", gzipSync("3,three\n"));
    assert.deepEqual(await rows(), [
      [1, "one"],
      [2, "two"],
      [3, "three"],
    ]);
  });

  test("takes JSON by a mapping", async () => {
    const mapping = JSON.stringify([
      { Column: "a", Properties: { Path: "$.id" } },
      { Column: "s", Properties: { Path: "$.name" } },
    ]);
    await query.command(`.create table T ingestion json mapping "m" '${mapping}'`);
    const { status } = await send(
      "/v1/rest/ingest/db/T?streamFormat=multijson&mappingName=m",
      '{"id": 9007199254740993, "name": "big"}',
    );
    assert.equal(status, 200);
    assert.deepEqual(await query.query("T | project tostring(a), s"), [
      ["9007199254740993", "big"],
    ]);
    await rows();
  });

  test("takes all or nothing, and says what is wrong with which row", async () => {
    const { status, json } = await send("/v1/rest/ingest/db/T?streamFormat=json", '{"a":1}\n{"a":');
    assert.equal(status, 400);
    assert.match(JSON.stringify(json), /Row 2/);
    assert.deepEqual(await rows(), []);
    const unknown = await send("/v1/rest/ingest/db/T?streamFormat=xml", "<a/>");
    assert.match(JSON.stringify(unknown.json), /no format 'xml'/);
  });

  test("refuses unknown tables, bodies that are too large, and callers who may not", async () => {
    const nowhere = await send("/v1/rest/ingest/db/Nowhere?streamFormat=csv", "1", "admin");
    assert.equal(nowhere.status, 404);
    const large = await send("/v1/rest/ingest/db/T?streamFormat=csv", "1,x\n".repeat(300_000));
    assert.equal(large.status, 413);
    const viewer = await send("/v1/rest/ingest/db/T?streamFormat=csv", "1", "viewer");
    assert.equal(viewer.status, 403);
    assert.deepEqual(await rows(), []);
  });

  test("takes data in the text of a command", async () => {
    const csl = '.ingest inline into table T with (ignoreFirstRecord=true) <| a,s\n1,"x, y"\n2,z';
    assert.match(String((await query.command(csl))[0]?.[0]), /^[0-9a-f-]{36}$/);
    assert.deepEqual(await rows(), [
      [1, "x, y"],
      [2, "z"],
    ]);
  });

  test("takes data from where a URL leads, and keeps signatures out of what it shows", async () => {
    const server = createServer((request, response) => {
      if (request.url?.startsWith("/data.csv.gz") === true) response.end(gzipSync("5,five\n"));
      else response.writeHead(404).end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const url = `http://127.0.0.1:${port}/data.csv.gz?sv=1&sig=secret`;
    const [row] = await query.command(`.ingest into table T (h'${url}') with (tags='["x"]')`);
    assert.equal(row?.[1], url.replace("secret", "*****"));
    const uri = JSON.stringify({ sourceUri: url });
    const streamed = await send("/v1/rest/ingest/db/T?streamFormat=csv&sourceKind=uri", uri);
    assert.equal(streamed.status, 200);
    assert.deepEqual(await rows(), [
      [5, "five"],
      [5, "five"],
    ]);
    const missing = `.ingest into table T ('http://127.0.0.1:${port}/none.csv')`;
    await assert.rejects(query.command(missing), /answered with status 404, not 200/);
    server.close();
    await once(server, "close");
  });
});
