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
        `${rows} Rows | where id == 1
          | evaluate bag_unpack(d, "p_", ignoredProperties=dynamic(["b"]))`,
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

suite("lookups", () => {
  test("find the networks of addresses, or nothing", async () => {
    await using kql = await testKql();
    const tables = `let Networks = datatable(net:string, place:string)
      ["10.0.0.0/8","wide", "10.1.0.0/16","narrow", "nonsense","none"];
      let Addresses = datatable(ip:string)["10.1.2.3", "10.9.9.9", "11.1.1.1"];`;
    const lookup = `${tables} Addresses | evaluate ipv4_lookup(Networks, ip, net`;
    assert.deepEqual(await kql.results(`${lookup}, return_unmatched=true)`), [
      [
        "ip:string net:string place:string",
        ["10.1.2.3", "10.1.0.0/16", "narrow"],
        ["10.1.2.3", "10.0.0.0/8", "wide"],
        ["10.9.9.9", "10.0.0.0/8", "wide"],
        ["11.1.1.1", "", ""],
      ],
    ]);
    assert.deepEqual(await kql.rows(`${lookup}) | count`), [[3]]);
  });
});

suite("timelines", () => {
  const visits = `let Visits = datatable(who:string, at:datetime) [
    "a",datetime(2024-01-01), "b",datetime(2024-01-01), "a",datetime(2024-01-02),
    "c",datetime(2024-01-02), "c",datetime(2024-01-02 05:00)];`;
  const range = "datetime(2024-01-01), datetime(2024-01-03)";

  test("count who comes, who is new, and who comes back", async () => {
    await using kql = await testKql();
    assert.deepEqual(
      await kql.results(
        `${visits} Visits | evaluate activity_counts_metrics(who, at, ${range}, 1d)`,
      ),
      [
        [
          "at:datetime count:long dcount:long new_dcount:long aggregated_dcount:long",
          ["2024-01-01T00:00:00.0000000Z", 2, 2, 2, 2],
          ["2024-01-02T00:00:00.0000000Z", 3, 2, 1, 3],
        ],
      ],
    );
    assert.deepEqual(
      await kql.rows(`${visits} Visits | evaluate activity_metrics(who, at, ${range}, 1d)
        | project-away at`),
      [
        [2, 2, 0, 0],
        [2, 1, 0.5, 0.5],
      ],
    );
  });

  test("slide over the bins before", async () => {
    await using kql = await testKql();
    const sliding = `evaluate sliding_window_counts(who, at, ${range}, 2d, 1d)`;
    assert.deepEqual(await kql.rows(`${visits} Visits | ${sliding} | project-away at`), [
      [2, 2],
      [5, 3],
      [3, 2],
    ]);
    const rolling = "evaluate rolling_percentile(x, 50, x, 2, 2)";
    assert.deepEqual(await kql.rows(`range x from 0 to 5 step 1 | ${rolling}`), [
      [0, 0],
      [2, 1],
      [4, 3],
    ]);
  });
});
