import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { testKql } from "../../kql.fixture.ts";

suite("evaluate bag_unpack", () => {
  const rows = `let Rows = datatable(id:long, d:dynamic) [
    1, dynamic({"b":"x","a":1}), 2, dynamic({"a":2.5,"c":[1],"e":null}), 3, dynamic(null)];`;

  test("makes a column of each member, in the type of its values", async () => {
    await using kql = await testKql();
    assert.deepEqual(await kql.results(`${rows} Rows | evaluate bag_unpack(d) | where id < 3`), [
      [
        "id:long a:real b:string c:dynamic e:dynamic",
        [1, 1, "x", null, null],
        [2, 2.5, "", [1], null],
      ],
    ]);
    assert.deepEqual(
      await kql.results(
        `${rows} Rows | where id == 1 | evaluate bag_unpack(d, "p_", ignoredProperties=dynamic(["b"]))`,
      ),
      [["id:long p_a:long", [1, 1]]],
    );
  });

  test("takes the columns that the query names", async () => {
    await using kql = await testKql();
    const query = `${rows} Rows | evaluate bag_unpack(d) : (*, a:string) | where id == 2`;
    assert.deepEqual(await kql.results(query), [["id:long a:string", [2, "2.5"]]]);
  });

  test("says when a member has the name of a column, unless told which to keep", async () => {
    await using kql = await testKql();
    const clash = 'print a=5, d=dynamic({"a":1}) | evaluate bag_unpack(d';
    await assert.rejects(kql.rows(`${clash})`), {
      message: "bag_unpack(): there is a column 'a' already.",
    });
    const keep = `${clash}, columnsConflict="keep_source")`;
    assert.deepEqual(await kql.results(keep), [["a:long", [5]]]);
    const replace = `${clash}, columnsConflict="replace_source")`;
    assert.deepEqual(await kql.results(replace), [["a:long", [1]]]);
  });
});

suite("evaluate pivot and narrow", () => {
  const rows = "let Rows = datatable(k:string, p:string, v:long)['a','x',1, 'a','y',2, 'b','x',5];";

  test("pivot makes a column of each value", async () => {
    await using kql = await testKql();
    assert.deepEqual(
      await kql.results(
        `${rows} Rows | evaluate pivot(p, sum(v)) | extend more = x + 1 | sort by k asc`,
      ),
      [["k:string x:long y:long more:long", ["a", 1, 2, 2], ["b", 5, 0, 6]]],
    );
    assert.deepEqual(
      await kql.results(`${rows} Rows | evaluate pivot(p, max(v), k) | sort by k asc`),
      [["k:string x:long y:long", ["a", 1, 2], ["b", 5, null]]],
    );
  });

  test("narrow makes a row of each cell", async () => {
    await using kql = await testKql();
    assert.deepEqual(await kql.results("print a=1, b='x' | evaluate narrow()"), [
      ["Row:long Column:string Value:string", [0, "a", "1"], [0, "b", "x"]],
    ]);
  });
});

test("evaluate rows_near shows what stands around a match", async () => {
  await using kql = await testKql();
  const near = (counts: string) =>
    kql.rows(`range x from 1 to 9 step 1 | sort by x asc | evaluate rows_near(x == 5, ${counts})`);
  assert.deepEqual(await near("1"), [[4], [5], [6]]);
  assert.deepEqual(await near("2, 0"), [[3], [4], [5]]);
});

test("plugins that would run code are refused by name", async () => {
  await using kql = await testKql();
  await assert.rejects(kql.rows('print 1 | evaluate python(typeof(*), "x")'), {
    message:
      "The plugin python() is not supported: it would run code of the query on this machine.",
  });
});
