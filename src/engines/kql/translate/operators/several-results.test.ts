import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { testKql } from "../../kql.fixture.ts";

suite("several tables of one query", () => {
  test("fork gives a table for each subquery", async () => {
    await using kql = await testKql();
    const query = "range x from 1 to 3 step 1 | fork (where x > 2) n=(count) (summarize m=max(x))";
    assert.deepEqual(await kql.results(query), [
      ["x:long", [3]],
      ["Count:long", [3]],
      ["m:long", [3]],
    ]);
  });

  test("facet counts the values of columns, and shows the rest", async () => {
    await using kql = await testKql();
    const rows = "datatable(a:string, b:long)['x',1, 'x',2, 'y',1]";
    assert.deepEqual(await kql.results(`${rows} | facet by a, b with (where b > 1)`), [
      ["a:string count_a:long", ["x", 2], ["y", 1]],
      ["b:long count_b:long", [1, 2], [2, 1]],
      ["a:string b:long", ["x", 2]],
    ]);
  });

  test("statements share what was computed before them", async () => {
    await using kql = await testKql();
    const query = `let Series = range x from 1 to 3 step 1 | make-series n=count() on x step 1;
      Series | project n; Series | count`;
    assert.deepEqual(await kql.results(query), [
      ["n:dynamic", [[1, 1, 1]]],
      ["Count:long", [1]],
    ]);
  });

  test("fork ends a query", async () => {
    await using kql = await testKql();
    await assert.rejects(kql.rows("print x=1 | fork (count) (take 1) | fork (count) (take 1)"));
  });
});
