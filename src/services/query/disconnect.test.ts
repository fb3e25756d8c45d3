import assert from "node:assert/strict";
import { request } from "node:http";
import { once } from "node:events";
import { after, before, suite, test } from "node:test";
import { startQuery, type TestQuery } from "./query.fixture.ts";

const BODY = {
  db: "db",
  csl: "Big | extend s = strcat(strrep('x', 500), x)",
  properties: { Options: { notruncation: true }, ClientRequestId: "gone;1" },
};

suite("queries that fail", () => {
  test("give back their places, however many there are", async () => {
    await using query = await startQuery();
    for (let at = 0; at < 20; at += 1) {
      const { status } = await query.post("/v1/rest/query", {
        db: "db",
        csl: "range x from 1 to 5 step 1 | extend y = assert(x < 0, 'no')",
      });
      assert.equal(status, 400);
    }
    const { status } = await query.post("/v1/rest/query", { db: "db", csl: "print 1" });
    assert.equal(status, 200);
  });

  test("late are not answered as complete", async () => {
    await using query = await startQuery();
    const csl = "range x from 1 to 100000 step 1 | extend y = assert(x < 90000, 'LATE')";
    const { json } = await query.post("/v2/rest/query", { db: "db", csl });
    assert.match(JSON.stringify(json), /"HasErrors":true/);
  });
});

suite("a client that goes away", () => {
  let query: TestQuery;
  let origin = "";
  before(async () => {
    query = await startQuery();
    await query.command(".set Big <| range x from 1 to 1000000 step 1");
    origin = await query.apps.query.listen({ host: "127.0.0.1", port: 0 });
  });
  after(() => query[Symbol.asyncDispose]());

  async function running(): Promise<unknown[][]> {
    return query.command(".show running queries | project ClientActivityId");
  }

  test("ends its query, and is noted", async () => {
    const sent = request(`${origin}/v2/rest/query`, {
      method: "POST",
      headers: { authorization: "Bearer admin", "content-type": "application/json" },
    });
    sent.end(JSON.stringify(BODY));
    const [answer] = await once(sent, "response");
    await once(answer, "data");
    assert.deepEqual(await running(), [["gone;1"]]);
    answer.destroy();
    while ((await running()).length > 0);
    const [last] = await query.command(
      '.show queries | where ClientActivityId == "gone;1" | project State, FailureReason',
    );
    assert.deepEqual(last, ["Failed", "The client went away."]);
  });

  test("that reads slowly holds up nothing but its own query", async () => {
    const sent = request(`${origin}/v2/rest/query`, {
      method: "POST",
      headers: { authorization: "Bearer admin", "content-type": "application/json" },
    });
    const atFirst = process.memoryUsage().rss;
    sent.end(JSON.stringify(BODY));
    const [answer] = await once(sent, "response");
    answer.pause();
    for (let count = 0; count < 5; count++) {
      assert.deepEqual(await query.query("print 1"), [[1]]);
    }
    const grown = (process.memoryUsage().rss - atFirst) / 1024 ** 2;
    assert.ok(grown < 300, `${grown.toFixed()} MiB more`);
    answer.destroy();
    while ((await running()).length > 0);
  });
});
