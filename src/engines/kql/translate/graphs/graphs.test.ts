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
