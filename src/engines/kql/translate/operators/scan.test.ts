import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { testKql } from "../../kql.fixture.ts";

const EVENTS = `let Events = datatable(at:timespan, what:string) [
  0m,"A", 1m,"Start", 2m,"B", 4m,"Stop", 6m,"C", 8m,"Start", 11m,"E", 12m,"Stop"];`;

suite("scan", () => {
  test("finds sequences, and numbers them", async () => {
    await using kql = await testKql();
    const query = `${EVENTS} Events | sort by at asc | scan with_match_id=id with (
      step begin: what == "Start";
      step inside: what !in ("Start", "Stop") and at - begin.at <= 5m;
      step end: what == "Stop" and at - begin.at <= 5m;)`;
    assert.deepEqual(await kql.results(query), [
      [
        "at:timespan what:string id:long",
        ["00:01:00", "Start", 0],
        ["00:02:00", "B", 0],
        ["00:04:00", "Stop", 0],
        ["00:08:00", "Start", 1],
        ["00:11:00", "E", 1],
        ["00:12:00", "Stop", 1],
      ],
    ]);
  });

  test("carries values from row to row", async () => {
    await using kql = await testKql();
    const sums = `range x from 1 to 5 step 1 | sort by x asc
      | scan declare (sum:long=0, text:string) with (
          step s: true => sum = iff(s.sum > 5, x, s.sum + x), text = strcat(s.text, x);)`;
    assert.deepEqual(await kql.results(sums), [
      [
        "x:long sum:long text:string",
        [1, 1, "1"],
        [2, 3, "12"],
        [3, 6, "123"],
        [4, 4, "1234"],
        [5, 9, "12345"],
      ],
    ]);
  });

  test("shows all rows of a step, the last, or none", async () => {
    await using kql = await testKql();
    const steps = (output: string) => `${EVENTS} Events | sort by at asc | scan with (
      step begin output=none: what == "Start";
      step inside ${output}: what != "Stop";
      step end: what == "Stop";) | project what`;
    assert.deepEqual((await kql.rows(steps("output=last"))).flat(), ["B", "Stop", "E", "Stop"]);
    assert.deepEqual((await kql.rows(steps("output=none"))).flat(), ["Stop", "Stop"]);
  });

  test("scans each part by itself", async () => {
    await using kql = await testKql();
    const query = `datatable(k:string, v:long)['a',1, 'b',5, 'a',2, 'b',6] | serialize
      | scan partition by k declare (sum:long=0) with (step s: true => sum = s.sum + v;)
      | project k, sum`;
    const rows = await kql.rows(query);
    assert.deepEqual(rows, [
      ["a", 1],
      ["a", 3],
      ["b", 5],
      ["b", 11],
    ]);
  });

  test("refuses functions over other rows", async () => {
    await using kql = await testKql();
    const query = "range x from 1 to 2 step 1 | scan with (step s: x > prev(x);)";
    await assert.rejects(kql.rows(query), {
      message: "The steps of scan cannot use functions over other rows.",
    });
  });
});
