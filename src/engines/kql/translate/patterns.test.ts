import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { testKql } from "../kql.fixture.ts";

const CAPITALS = `declare pattern capital = (country:string)[state:string] {
  ("USA").["New York"] = { print City = "Albany" };
  ("Canada").["Alberta"] = { print City = "Edmonton" };
};`;

suite("declare pattern", () => {
  test("gives the query that its values lead to", async () => {
    await using kql = await testKql();
    const query = `${CAPITALS} capital("Canada").Alberta`;
    assert.deepEqual(await kql.results(query), [["City:string", ["Edmonton"]]]);
    const quoted = `${CAPITALS} capital("USA").["New York"]`;
    assert.deepEqual(await kql.rows(quoted), [["Albany"]]);
  });

  test("is refused for other values", async () => {
    await using kql = await testKql();
    await assert.rejects(kql.rows(`${CAPITALS} capital("Chile").Alberta`));
  });
});
