import assert from "node:assert/strict";
import { test } from "node:test";
import { testKql } from "../../kql.fixture.ts";

test("an operator that is refused for good says why", async () => {
  await using kql = await testKql();
  await assert.rejects(kql.rows("print a='x' | reduce by a"), {
    kind: "unsupported",
    message:
      "The operator reduce is not supported: how the service picks its patterns is not published.",
  });
});
