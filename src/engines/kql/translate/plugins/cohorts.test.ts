import assert from "node:assert/strict";
import { test } from "node:test";
import { testKql } from "../../kql.fixture.ts";

const SEEN = `datatable(day:long, users:dynamic) [
    1, dynamic([0,2,3,4]), 2, dynamic([0,1,3,4,5]), 3, dynamic([0,2,4,5]), 4, dynamic([0,1,2,3])]
  | mv-expand user=users to typeof(long)`;

test("new_activity_metrics follows those who are new in a period", async () => {
  await using kql = await testKql();
  assert.deepEqual(
    await kql.results(`${SEEN} | evaluate new_activity_metrics(user, day, 1, 4, 1)`),
    [
      [
        "from_day:long to_day:long dcount_new_values:long dcount_retained_values:long " +
          "dcount_churn_values:long retention_rate:real churn_rate:real",
        [1, 1, 4, 4, 0, 1, 0],
        [1, 2, 2, 3, 1, 0.75, 0.25],
        [1, 3, 1, 3, 1, 0.75, 0.25],
        [1, 4, 1, 3, 1, 0.75, 0.25],
        [2, 2, 2, 2, 0, 1, 0],
        [2, 3, 0, 1, 1, 0.5, 0.5],
        [2, 4, 0, 1, 1, 0.5, 0.5],
      ],
    ],
  );
  assert.deepEqual(
    await kql.rows(`let Known = print user=5; ${SEEN}
      | evaluate new_activity_metrics(user, day, 1, 4, 1, 2, Known)
      | project to_day, dcount_retained_values`),
    [
      [2, 1],
      [3, 0],
      [4, 1],
    ],
  );
});

test("active_users_count counts those who came often", async () => {
  await using kql = await testKql();
  assert.deepEqual(
    await kql.rows(`datatable(User:string, Day:long) ["B",-2, "B",-1, "A",2, "B",4, "B",8,
        "A",10, "A",14, "A",17, "A",20, "B",24]
      | evaluate active_users_count(User, Day, 1, 31, 8, 1, 3, 7)`),
    [
      [1, 1],
      [15, 1],
    ],
  );
});

test("session_count counts sessions that go on or begin", async () => {
  await using kql = await testKql();
  assert.deepEqual(
    await kql.results(`datatable(user:string, at:long, place:string) ["a",1,"x", "a",3,"x",
        "a",9,"x", "b",4,"x", "b",12,"x", "c",11,"y"]
      | evaluate session_count(user, at, 1, 20, 10, 3, place)`),
    [["at:long place:string count_sessions:long", [1, "x", 3], [11, "x", 1], [11, "y", 1]]],
  );
});

test("sequence_detect finds what follows within the windows", async () => {
  await using kql = await testKql();
  const events = `datatable(t:datetime, what:string, place:string) [
    datetime(2024-01-01), "heat", "p", datetime(2024-01-02), "fire", "p",
    datetime(2024-01-03), "fire", "p", datetime(2024-01-20), "fire", "p",
    datetime(2024-01-04), "fire", "q"]`;
  assert.deepEqual(
    await kql.results(`${events}
      | evaluate sequence_detect(t, 5d, 5d, h=(what == "heat"), f=(what == "fire"), place)
      | project place, f_t, Duration=Duration / 1d`),
    [
      [
        "place:string f_t:datetime Duration:real",
        ["p", "2024-01-02T00:00:00.0000000Z", 1],
        ["p", "2024-01-03T00:00:00.0000000Z", 2],
      ],
    ],
  );
});

test("plugins whose algorithm is not published are refused by name", async () => {
  await using kql = await testKql();
  await assert.rejects(kql.rows("print a=1 | evaluate autocluster()"), {
    message: /^The plugin autocluster\(\) is not supported: how the service picks/,
  });
});
