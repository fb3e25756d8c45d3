import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { testKql } from "../../kql.fixture.ts";

suite("row_window_session", () => {
  const rows = `datatable(who:string, at:long) [
    "a",1, "a",2, "a",4, "a",6, "a",9, "b",10, "b",11] | sort by who asc, at asc`;

  test("starts a session after a long gap, and when one has lasted long enough", async () => {
    await using kql = await testKql();
    assert.deepEqual(
      await kql.results(`${rows} | extend s=row_window_session(at, 4, 2) | project at, s`),
      [["at:long s:long", [1, 1], [2, 1], [4, 1], [6, 6], [9, 9], [10, 9], [11, 9]]],
    );
  });

  test("starts a session where the condition holds, next to other functions", async () => {
    await using kql = await testKql();
    assert.deepEqual(
      await kql.rows(`${rows} | extend s=row_window_session(at, 10, 3, who != prev(who)),
        t=row_window_session(at, 1, 1) - 1, n=row_number() | where who == "b" or n == 2
        | project at, s, t, n`),
      [
        [2, 1, 0, 2],
        [10, 10, 8, 6],
        [11, 10, 10, 7],
      ],
    );
  });

  test("needs rows in an order", async () => {
    await using kql = await testKql();
    await assert.rejects(
      kql.rows("print at=1 | union (print at=2) | extend row_window_session(at, 1, 1)"),
      { message: /must be serialized/ },
    );
  });
});

test("functions that look at fewer values", async () => {
  await using kql = await testKql();
  assert.deepEqual(
    await kql.rows(`range x from 1 to 10 step 1
      | summarize dcount_hll(hll_if(x, x < 4)), percentilesw_array(x, 1, 50, 90),
        percentilesw_array(x, x, dynamic([10, 50]))`),
    [[3, [5, 9], [3, 7]]],
  );
  assert.deepEqual(
    await kql.rows(`datatable(a:long, b:string, c:dynamic) [
      1, "", dynamic(null), long(null), "x", dynamic([1])] | project pack_all(true)`),
    [[{ a: 1 }], [{ b: "x", c: [1] }]],
  );
  assert.deepEqual(await kql.rows("print x=1 | serialize a=row_rank(x), b=row_rank_dense(x)"), [
    [1, 1, 1],
  ]);
});
