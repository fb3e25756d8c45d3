import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { testKql } from "../../kql.fixture.ts";

const GRAPH = `let People = datatable(name:string, age:long)
    ["Ann",50, "Bob",40, "Cid",30, "Dan",20];
  let Reports = datatable(who:string, chief:string, since:long)
    ["Bob","Ann",1, "Cid","Bob",2, "Dan","Cid",3, "Dan","Ann",4, "Eve","Dan",5];
  Reports | make-graph who --> chief with People on name`;

suite("graph-match", () => {
  test("finds edges in either direction", async () => {
    await using kql = await testKql();
    assert.deepEqual(
      await kql.results(`${GRAPH} | graph-match (boss)<-[report]-(worker)
        where boss.name == "Ann" and report.since > 0
        project worker.name, age=worker.age, report.since | sort by age desc`),
      [["worker_name:string age:long report_since:long", ["Bob", 40, 1], ["Dan", 20, 4]]],
    );
    const either = `${GRAPH} | graph-match (a)--(b) where a.name == "Cid" project b.name`;
    assert.deepEqual((await kql.rows(`${either} | sort by b_name asc`)).flat(), ["Bob", "Dan"]);
  });

  test("follows edges over several nodes, and looks at what is between", async () => {
    await using kql = await testKql();
    assert.deepEqual(
      await kql.rows(`${GRAPH} | graph-match (w)-[path*1..3]->(boss)
        where w.name == "Dan" and boss.name == "Ann"
        project inside=map(inner_nodes(path), name), years=path.since
        | sort by array_length(years) asc`),
      [
        [[], [4]],
        [
          ["Cid", "Bob"],
          [3, 2, 1],
        ],
      ],
    );
    assert.deepEqual(
      await kql.rows(`${GRAPH} | graph-match (w)-[path*2..4]->(boss)
        where boss.name == "Ann" and all(inner_nodes(path), age > 30)
        project w.name, node_degree_in(boss)`),
      [["Cid", 2]],
    );
  });

  test("joins patterns at the nodes that they share", async () => {
    await using kql = await testKql();
    assert.deepEqual(
      await kql.rows(`${GRAPH} | graph-match (a)-[x]->(b)-[y]->(c), (a)-[z]->(d)
        where d.name == "Ann" project a.name, b.name, c.name`),
      [["Dan", "Cid", "Bob"]],
    );
  });
});

test("graph-shortest-paths keeps the shortest path between two nodes", async () => {
  await using kql = await testKql();
  assert.deepEqual(
    await kql.rows(`${GRAPH} | graph-shortest-paths (w)-[path*1..5]->(boss)
      where w.name == "Eve" and boss.name == "Ann" project names=map(path, who)`),
    [[["Eve", "Dan"]]],
  );
});

test("graph-to-table gives nodes, also those that only edges name, and edges", async () => {
  await using kql = await testKql();
  assert.deepEqual(
    await kql.rows(`${GRAPH} | graph-to-table nodes | where age < 30 or isnull(age)`),
    [
      ["Dan", 20],
      ["Eve", null],
    ],
  );
  assert.deepEqual(await kql.rows(`${GRAPH} | graph-to-table edges | count`), [[5]]);
});

test("graph-to-table gives both tables, which later statements know by name", async () => {
  await using kql = await testKql();
  const results = await kql.results(
    `${GRAPH} | graph-to-table nodes as N, edges as E; ` +
      "N | join kind=inner E on $left.name == $right.who | count",
  );
  assert.deepEqual(
    results.map(([head, ...rows]) => [head, rows.length]),
    [
      ["name:string age:long", 5],
      ["who:string chief:string since:long", 5],
      ["Count:long", 1],
    ],
  );
  assert.deepEqual(results[2]?.[1], [5]);
});

test("a graph has a name, and is used as often as it is named", async () => {
  await using kql = await testKql();
  const named = GRAPH.replace("Reports | make-graph", "let G = Reports | make-graph");
  assert.deepEqual(
    await kql.rows(`${named}; (G | graph-to-table edges | count)
      | union (G | graph-to-table nodes | count) | sort by Count asc`),
    [[5], [5]],
  );
});

test("graph-mark-components numbers what hangs together", async () => {
  await using kql = await testKql();
  const edges = `datatable(a:string, b:string) ["x","y", "y","x", "y","z", "p","q"]
    | make-graph a --> b with_node_id=id`;
  assert.deepEqual(await kql.rows(`${edges} | graph-mark-components | graph-to-table nodes`), [
    ["x", 0],
    ["y", 0],
    ["z", 0],
    ["p", 1],
    ["q", 1],
  ]);
  assert.deepEqual(
    await kql.results(`${edges} | graph-mark-components kind=strong with_component_id=part
      | graph-match (n)-->(m) where n.part == m.part project n.id, n.part, node_degree_in(m)`),
    [["n_id:string n_part:long Column1:long", ["x", 0, 1], ["y", 0, 1]]],
  );
});

test("a function may end with one table of a graph", async () => {
  await using kql = await testKql();
  const query = `let Nodes = (T:(a:long, b:long)) {
      T | make-graph a --> b with_node_id=id | graph-to-table nodes };
    Nodes((print a=1, b=2)) | count`;
  assert.deepEqual(await kql.rows(query), [[2]]);
});
