import assert from "node:assert/strict";
import { test } from "node:test";
import { testKql } from "../../kql.fixture.ts";

test("funnel_sequence_completion counts who gets how far in which time", async () => {
  await using kql = await testKql();
  assert.deepEqual(
    await kql.rows(`datatable(who:string, t:datetime, what:string) [
        "a", datetime(2024-01-01 00:00), "see", "a", datetime(2024-01-01 00:30), "buy",
        "b", datetime(2024-01-01 00:00), "see", "b", datetime(2024-01-01 03:00), "buy",
        "c", datetime(2024-01-01 01:00), "buy", "c", datetime(2024-01-01 02:00), "see"]
      | evaluate funnel_sequence_completion(who, t, datetime(2024-01-01), datetime(2024-01-02),
          2d, what, dynamic(["see", "buy"]), dynamic([1h, 4h]))
      | project what, Period=Period / 1h, dcount`),
    [
      ["see", 1, 3],
      ["buy", 1, 1],
      ["see", 4, 3],
      ["buy", 4, 2],
    ],
  );
});
