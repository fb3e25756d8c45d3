import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { testKql, type TestKql } from "./kql.fixture.ts";
import { KqlError } from "./kql-error.ts";

let kql: TestKql;

before(async () => {
  kql = await testKql();
});

after(() => kql[Symbol.asyncDispose]());

/** The only row of a query. */
async function row(text: string): Promise<unknown> {
  const rows = await kql.rows(text);
  assert.equal(rows.length, 1);
  return rows[0];
}

void suite("nulls, comparison and arithmetic", () => {
  test("sorts from the greatest down, and nulls are the least", async () => {
    const numbers = "datatable(x:long)[2, long(null), 1]";
    assert.deepEqual(await kql.rows(`${numbers} | sort by x`), [[2], [1], [null]]);
    assert.deepEqual(await kql.rows(`${numbers} | sort by x asc`), [[null], [1], [2]]);
    assert.deepEqual(await kql.rows(`${numbers} | sort by x asc nulls last`), [[1], [2], [null]]);
    assert.deepEqual(await kql.rows(`${numbers} | top 1 by x`), [[2]]);
  });

  test("compares with one null as different, and with two as null", async () => {
    assert.deepEqual(
      await row("print x=long(null), y=long(null) | project x == 5, x != 5, not(x == 5), x == y"),
      [false, true, true, null],
    );
    assert.deepEqual(await kql.rows("datatable(x:long)[1, long(null)] | where x != 5 | count"), [
      [2],
    ]);
    assert.deepEqual(await row("print x=long(null) | project x < 5, x in (1, 2)"), [null, false]);
  });

  test("divides and takes remainders as the language does", async () => {
    assert.deepEqual(await row("print -7 / 2, 7 / 0, 7.0 / 0, -10 % 3, 10 % -3, 5 / 2.0"), [
      -3,
      null,
      "Infinity",
      2,
      1,
      2.5,
    ]);
  });

  test("wraps whole numbers around", async () => {
    const [max] = await kql.rows("print x=9223372036854775807 | project tostring(x + 1)");
    assert.deepEqual(max, ["-9223372036854775808"]);
    assert.deepEqual(await row("print tostring(4611686018427387904 * 2)"), [
      "-9223372036854775808",
    ]);
    const sum = "datatable(x:long)[9223372036854775807, 1] | summarize tostring(sum(x))";
    assert.deepEqual(await row(sum), ["-9223372036854775808"]);
  });

  test("knows no number that equals NaN", async () => {
    assert.deepEqual(
      await row("print x=real(nan), y=real(nan) | project x == y, x != y, x > 1.0, x < 1.0"),
      [false, true, false, false],
    );
  });

  test("gives null for text that is no number", async () => {
    assert.deepEqual(
      await row('print toint("3.14"), tolong("12"), tolong("0x1F"), toint("x"), toint(3.9)'),
      [null, 12, 31, null, 3],
    );
  });

  test("has no null strings", async () => {
    assert.deepEqual(await row('print isnull(""), isempty(""), isnull(long(null))'), [
      false,
      true,
      true,
    ]);
    const joined = `datatable(k:long)[1, 2] | join kind=leftouter (
      datatable(k:long, s:string, n:long)[1, "a", 7]) on k | sort by k asc | project s, n`;
    assert.deepEqual(await kql.rows(joined), [
      ["a", 7],
      ["", null],
    ]);
  });

  test("refuses to compare a text with a number", async () => {
    await assert.rejects(
      kql.rows('print s="5" | where s == 5'),
      (error) => error instanceof KqlError && error.kind === "semantic" && error.code === "SEM0064",
    );
  });
});

void suite("aggregates", () => {
  test("of nothing are 0, NaN or empty", async () => {
    const nothing = "datatable(x:long)[]";
    assert.deepEqual(
      await row(`${nothing} | summarize count(), sum(x), avg(x), stdev(x), make_list(x), max(x)`),
      [0, 0, "NaN", 0, [], null],
    );
  });

  test("take percentiles that occur", async () => {
    const numbers = "range x from 1 to 10 step 1";
    assert.deepEqual(await row(`${numbers} | summarize percentiles(x, 50, 95)`), [5, 10]);
  });

  test("count distinct values exactly", async () => {
    const many = "range x from 1 to 5000 step 1 | extend y = x % 1000";
    assert.deepEqual(await row(`${many} | summarize dcount(y), count_distinct(y)`), [1000, 1000]);
  });

  test("leave nulls out of lists, and keep the first value of a bag's key", async () => {
    assert.deepEqual(await row("datatable(x:long)[1, long(null), 2] | summarize make_list(x)"), [
      [1, 2],
    ]);
    const bags = `datatable(d:dynamic)[dynamic({"a":1}), dynamic({"a":2, "b":3})]`;
    assert.deepEqual(await row(`${bags} | summarize make_bag(d)`), [{ a: 1, b: 3 }]);
  });

  test("give the other columns of the extreme row", async () => {
    const fruit = `datatable(f:string, v:long, c:string)["a", 1, "x", "a", 3, "y", "b", 2, "z"]`;
    const [table] = await kql.results(`${fruit} | summarize arg_max(v, *) by f | sort by f asc`);
    assert.deepEqual(table, ["f:string v:long c:string", ["a", 3, "y"], ["b", 2, "z"]]);
  });

  test("can be computed with", async () => {
    assert.deepEqual(
      await row("range x from 1 to 4 step 1 | summarize 100 * count() + sum(x)"),
      [410],
    );
  });
});

void suite("names of columns", () => {
  test("follow from the expressions", async () => {
    const [table] = await kql.results(
      "datatable(a:long, b:string)[1, 'x'] | " +
        "summarize count(), avg(a), percentile(a, 95), make_list(a), sum(a + 1) by b, tolower(b)",
    );
    assert.equal(
      table?.[0],
      "b:string Column1:string count_:long avg_a:real percentile_a_95:long " +
        "list_a:dynamic sum_:long",
    );
  });

  test("get a number where they clash", async () => {
    const [table] = await kql.results(
      "datatable(a:long, b:long)[1, 2] | join kind=inner (datatable(a:long, b:long)[1, 3]) on a",
    );
    assert.deepEqual(table, ["a:long b:long a1:long b1:long", [1, 2, 1, 3]]);
  });
});
