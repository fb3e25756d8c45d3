import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { suite, test } from "node:test";
import { gzipSync } from "node:zlib";
import { startQuery } from "../query.fixture.ts";

suite("externaldata", () => {
  test("reads what a URL leads to, packed or not, and says when there is nothing", async () => {
    const server = createServer((request, response) => {
      const text = "1,one\n2,two\n";
      if (request.url === "/a.csv") response.end(text);
      else if (request.url === "/a.csv.gz") response.end(gzipSync(text));
      else response.writeHead(404).end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    await using query = await startQuery();
    const { port } = server.address() as AddressInfo;
    const place = `http://127.0.0.1:${port}`;
    const rows = [
      [1, "one"],
      [2, "two"],
    ];
    for (const name of ["a.csv", "a.csv.gz"]) {
      const csl = `externaldata(n:long, s:string) ["${place}/${name}"]`;
      assert.deepEqual(await query.query(csl), rows);
    }
    const csl = `externaldata(n:long) ["${place}/none?sig=secret"]`;
    const answer = await query.post("/v2/rest/query", { db: "db", csl });
    assert.equal(answer.status, 400);
    const text = JSON.stringify(answer.json);
    assert.match(text, /answered with status 404/u);
    assert.doesNotMatch(text, /secret/u);
    server.close();
  });
});
