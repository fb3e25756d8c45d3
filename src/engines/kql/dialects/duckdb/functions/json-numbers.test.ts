import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { testKql, type TestKql } from "../../../kql.fixture.ts";

let kql: TestKql;

before(async () => {
  kql = await testKql();
});

after(() => kql[Symbol.asyncDispose]());

/** What a member of a bag, and the same value by itself, are as a long. */
async function longOf(json: string): Promise<unknown> {
  const literal = JSON.stringify(json);
  const [row] = await kql.rows(
    `print d = parse_json(strcat('{"a":', ${literal}, '}')), e = parse_json(${literal}) ` +
      "| project tostring(tolong(d.a)), tostring(tolong(e))",
  );
  return row;
}

void suite("numbers in JSON as whole numbers", () => {
  test("lose their fraction and are not rounded", async () => {
    assert.deepEqual(await longOf("2.5"), ["2", "2"]);
    assert.deepEqual(await longOf("-1.5"), ["-1", "-1"]);
    assert.deepEqual(await longOf("1e3"), ["1000", "1000"]);
  });

  test("keep every digit of a long, and those of a real of its size", async () => {
    assert.deepEqual(await longOf("9007199254740993"), ["9007199254740993", "9007199254740993"]);
    const real = "1152921504606846976";
    assert.deepEqual(await longOf("1152921504606846977.0"), [real, real]);
    const most = "9223372036854775807";
    assert.deepEqual(await longOf("1e30"), [most, most]);
  });

  test("are truth values and digits in a text too, but no reals in a text", async () => {
    assert.deepEqual(await longOf("true"), ["1", "1"]);
    assert.deepEqual(await longOf('"12"'), ["12", "12"]);
    assert.deepEqual(await longOf('"1.5"'), ["", ""]);
    assert.deepEqual(await longOf("[1]"), ["", ""]);
  });
});
