import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { KqlError } from "../../kql-error.ts";
import { testKql } from "../../kql.fixture.ts";

const SALES = `let Sales = datatable(at:datetime, shop:string, sum:long) [
  datetime(2024-01-01 03:00), "a", 1, datetime(2024-01-01 04:00), "a", 2,
  datetime(2024-01-03), "a", 4, datetime(2024-01-02), "b", 8];`;

suite("make-series", () => {
  test("fills the bins without rows with the default", async () => {
    await using kql = await testKql();
    const query = `${SALES} Sales
      | make-series s=sum(sum) default=-1, n=count() on at from datetime(2024-01-01)
        to datetime(2024-01-04) step 1d by shop`;
    const days = ["2024-01-01", "2024-01-02", "2024-01-03"];
    const labels = days.map((day) => `${day}T00:00:00.0000000Z`);
    assert.deepEqual(await kql.results(query), [
      [
        "shop:string s:dynamic n:dynamic at:dynamic",
        ["a", [3, -1, 4], [2, 0, 1], labels],
        ["b", [-1, 8, -1], [0, 1, 0], labels],
      ],
    ]);
  });

  test("goes from the first to the last bin of each series without a range", async () => {
    await using kql = await testKql();
    const rows = await kql.rows(`${SALES} Sales
      | make-series s=sum(sum) on at step 1d by shop | project shop, s`);
    assert.deepEqual(rows, [
      ["a", [3, 0, 4]],
      ["b", [8]],
    ]);
  });

  test("takes numbers as axis, and ranges whose end counts", async () => {
    await using kql = await testKql();
    const numbers = "range x from 1 to 7 step 1";
    assert.deepEqual(await kql.rows(`${numbers} | make-series s=sum(x) on x in range(1, 7, 2)`), [
      [
        [1, 5, 9, 13],
        [0, 2, 4, 6],
      ],
    ]);
    assert.deepEqual(
      await kql.rows(
        `${numbers} | extend y=x/2.0 | make-series count() on y from 0.5 to 2.0 step 0.5`,
      ),
      [
        [
          [1, 1, 1],
          [0.5, 1, 1.5],
        ],
      ],
    );
  });

  test("is one empty series of no rows on request, and no row otherwise", async () => {
    await using kql = await testKql();
    const empty = "range x from 1 to 3 step 1 | take 0";
    const series = "default=7 on x from 1 to 3 step 1";
    assert.deepEqual(await kql.rows(`${empty} | make-series sum(x) ${series}`), []);
    assert.deepEqual(await kql.rows(`${empty} | make-series kind=nonempty sum(x) ${series}`), [
      [
        [7, 7],
        [1, 2],
      ],
    ]);
  });

  test("refuses a step of zero and series without end", async () => {
    await using kql = await testKql();
    const numbers = "range x from 1 to 7 step 1 | make-series count() on x from 1 to";
    await assert.rejects(kql.rows(`${numbers} 9 step 0`), KqlError);
    await assert.rejects(kql.rows(`${numbers} 9000000000 step 1`), {
      message: "make-series: a series has at most 1048576 elements.",
    });
  });
});

suite("top-hitters and sample-distinct", () => {
  test("count or weigh values exactly", async () => {
    await using kql = await testKql();
    const letters = 'datatable(g:string, n:long)["a",1, "b",9, "a",1, "c",2]';
    assert.deepEqual(await kql.results(`${letters} | top-hitters 1 of g`), [
      ["g:string approximate_count_g:long", ["a", 2]],
    ]);
    assert.deepEqual(await kql.results(`${letters} | top-hitters 2 of g by n`), [
      ["g:string approximate_sum_n:long", ["b", 9], ["a", 2]],
    ]);
    assert.deepEqual(await kql.rows(`${letters} | sample-distinct 9 of g | count`), [[3]]);
  });
});
