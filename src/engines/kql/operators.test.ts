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

void suite("operators", () => {
  test("join on unique left keys, unless told otherwise, and match nulls", async () => {
    const left = "datatable(k:long)[1, 1, long(null)]";
    const right = "datatable(k:long)[1, long(null)]";
    assert.deepEqual(await kql.rows(`${left} | join (${right}) on k | count`), [[2]]);
    assert.deepEqual(await kql.rows(`${left} | join kind=inner (${right}) on k | count`), [[3]]);
    assert.deepEqual(await kql.rows(`${left} | join kind=leftanti (${right}) on k | count`), [[0]]);
    assert.deepEqual(await kql.rows(`${right} | join kind=rightsemi (${left}) on k | count`), [
      [3],
    ]);
  });

  test("look up without the right keys", async () => {
    const [table] = await kql.results(
      "datatable(k:long)[1, 2] | lookup (datatable(k:long, v:string)[1, 'a']) on k | sort by k asc",
    );
    assert.deepEqual(table, ["k:long v:string", [1, "a"], [2, ""]]);
  });

  test("unite by name and split clashing types", async () => {
    const [table] = await kql.results(
      "union (datatable(c:string)['a']), (datatable(c:real, d:long)[1.5, 2])",
    );
    assert.deepEqual(table, [
      "c_string:string c_real:real d:long",
      ["a", null, null],
      ["", 1.5, 2],
    ]);
  });

  test("expand arrays side by side", async () => {
    const [table] = await kql.results(
      "print a=dynamic([1, 2]), b=dynamic(['x']) " +
        "| mv-expand a to typeof(long), b to typeof(string)",
    );
    assert.deepEqual(table, ["a:long b:string", [1, "x"], [2, ""]]);
  });

  test("apply a subquery to each row's elements", async () => {
    const rows = `datatable(k:string, d:dynamic)["a", dynamic([1, 5, 3]), "b", dynamic([2])]
      | mv-apply e = d to typeof(long) on (top 1 by e) | project k, e`;
    assert.deepEqual(await kql.rows(rows), [
      ["a", 5],
      ["b", 2],
    ]);
  });

  test("look at other rows only where rows have an order", async () => {
    const rows =
      "range x from 1 to 3 step 1 | extend p = prev(x), c = row_cumsum(x), n = next(x, 1, 0)";
    assert.deepEqual(await kql.rows(rows), [
      [1, null, 1, 2],
      [2, 1, 3, 3],
      [3, 2, 6, 0],
    ]);
    await kql.addTable("Plain", [{ name: "x", type: "long" }], "values (1), (2)");
    await assert.rejects(
      kql.rows("Plain | extend row_number()"),
      (error) => error instanceof KqlError && error.message.includes("must be serialized"),
    );
  });

  test("start anew where a condition says so", async () => {
    const rows = `datatable(g:string, v:long)["a", 1, "a", 2, "b", 3, "b", 4]
      | serialize c = row_cumsum(v, g != prev(g)), n = row_number(1, g != prev(g)),
          r = row_rank_dense(g)`;
    assert.deepEqual(await kql.rows(rows), [
      ["a", 1, 1, 1, 1],
      ["a", 2, 3, 2, 1],
      ["b", 3, 3, 1, 2],
      ["b", 4, 7, 2, 2],
    ]);
  });

  test("take texts apart by a pattern", async () => {
    const text = "print s='name=ann, age=41, city=bern'";
    assert.deepEqual(
      await row(`${text} | parse s with * "name=" n ", age=" a:long ", city=" c | project n, a, c`),
      ["ann", 41, "bern"],
    );
    assert.deepEqual(await kql.rows(`${text} | parse-where s with "x" y`), []);
  });
});

void suite("times", () => {
  test("count bins from the year 1 and weeks from Sunday", async () => {
    assert.deepEqual(
      await row(
        "print t=datetime(2024-03-13 10:11:12.1234567) | project bin(t, 30d), startofweek(t), " +
          "startofmonth(t), endofday(t), dayofweek(t), bin(t, 1h)",
      ),
      [
        "2024-02-15T00:00:00.0000000Z",
        "2024-03-10T00:00:00.0000000Z",
        "2024-03-01T00:00:00.0000000Z",
        "2024-03-13T23:59:59.9999999Z",
        "3.00:00:00",
        "2024-03-13T10:00:00.0000000Z",
      ],
    );
  });

  test("keep all seven digits", async () => {
    assert.deepEqual(
      await row(
        "print t=datetime(2024-03-13 10:11:12.1234567) | project t + 1tick, tostring(t), " +
          "datetime_add('month', 1, t), datetime_diff('day', t, datetime(2024-03-01)), 1.5d, -90m",
      ),
      [
        "2024-03-13T10:11:12.1234568Z",
        "2024-03-13T10:11:12.1234567Z",
        "2024-04-13T10:11:12.1234567Z",
        12,
        "1.12:00:00",
        "-01:30:00",
      ],
    );
  });

  test("stand still while a query runs", async () => {
    assert.deepEqual(await row("print now() == now(), ago(1h) == now() - 1h, now()"), [
      true,
      true,
      "2024-03-10T12:00:00.0000000Z",
    ]);
  });
});

void suite("texts and dynamics", () => {
  test("find terms, not parts of them", async () => {
    assert.deepEqual(
      await row(
        "print s='North-West_coast, été' | project s has 'west', s has 'wes', s has 'coast', " +
          "s has 'été', s has_cs 'west', s hasprefix 'we', s contains 'es', s !has 'x'",
      ),
      [true, false, true, true, false, true, true, true],
    );
  });

  test("take positions from 0, and regular expressions where the language does", async () => {
    assert.deepEqual(
      await row(
        "print substring('abcdef', 1, 2), substring('abc', 9), indexof('abc', 'c'), " +
          "indexof('abc', 'z'), countof('aaa', 'aa'), trim('[-]+', '--a-b--'), " +
          "extract('b(.)', 1, 'abc'), split('a,b', ',')",
      ),
      ["bc", "", 2, -1, 2, "a-b", "c", ["a", "b"]],
    );
  });

  test("unwrap a dynamic text", async () => {
    assert.deepEqual(
      await row(
        `print d=dynamic({"a":"x", "n":5, "l":[1, null]}) | project tostring(d.a), d.n + 1, ` +
          `array_length(d.l), d["a"] == "x", d.n == 5, isnull(d.zzz), tostring(d.l)`,
      ),
      ["x", 6, 2, true, true, true, "[1,null]"],
    );
  });

  test("keep hostile texts and names out of the SQL", async () => {
    assert.deepEqual(
      await row(`print ["a'b;--\\"c"] = "x'; drop table t; --", strlen("\\u0000\\u0001'")`),
      ["x'; drop table t; --", 3],
    );
  });
});

void suite("functions and variables", () => {
  test("are inlined with their arguments", async () => {
    const text = `
      let limit = 2;
      let add = (a:long, b:long = 10) { a + b };
      let big = (T:(x:long), least:long) { T | where x > least };
      big((range x from 1 to 4 step 1), limit) | extend y = add(x), z = add(x, 1)`;
    assert.deepEqual(await kql.rows(text), [
      [3, 13, 4],
      [4, 14, 5],
    ]);
  });

  test("can be tables that are used twice", async () => {
    const text = `
      let T = materialize(range x from 1 to 3 step 1 | extend r = rand());
      T | join kind=inner (T) on x | where r == r1 | count`;
    assert.deepEqual(await kql.rows(text), [[3]]);
  });

  test("give scalars from tables", async () => {
    const text = `let most = toscalar(range x from 1 to 5 step 1 | summarize max(x));
      range x from 3 to 7 step 1 | where x <= most | where x in ((range y from 4 to 9 step 1))`;
    assert.deepEqual(await kql.rows(text), [[4], [5]]);
  });

  test("give several results for several statements", async () => {
    assert.equal((await kql.results("print 1; print 2; print 3")).length, 3);
  });
});

void suite("refusals", () => {
  test("tell where the text is wrong", async () => {
    await assert.rejects(kql.rows("print x = | take"), (error) => {
      assert(error instanceof KqlError);
      assert.equal(error.kind, "syntax");
      assert.match(error.message, /line:position=1:/);
      return true;
    });
    await assert.rejects(
      kql.rows("Nothing | take 1"),
      (error) => error instanceof KqlError && error.kind === "semantic",
    );
    await assert.rejects(kql.rows(""), KqlError);
  });

  test("tell what would take long to parse, before it does", async () => {
    const deep = `print ${"(".repeat(600)}1${")".repeat(600)}`;
    await assert.rejects(kql.rows(deep), /500 levels of brackets/);
    const long = `print 1 in (${Array.from({ length: 50_000 }, (_one, at) => at).join(",")})`;
    await assert.rejects(kql.rows(long), /40000 items in lists/);
  });
});
