import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { KqlError } from "#engines/kql/kql-error.ts";
import { runtimeFunction, type RuntimeFunction } from "#engines/kql/runtime/runtime-function.ts";
import type { KqlType } from "#engines/kql/types.ts";
import { patient, testDuckDb } from "./duckdb.fixture.ts";

/** The value of one expression, with these functions registered. */
async function value(functions: readonly RuntimeFunction[], sql: string, type: KqlType) {
  await using duckdb = await testDuckDb({ functions });
  await using connection = await duckdb.sql.connect(patient);
  const chunks = connection.rows(`select ${sql}`, [{ name: "x", type }]);
  return (await Array.fromAsync(chunks)).flat(2);
}

const join = runtimeFunction("join", ["string", "long?"], "string", (a, b) => `${a}:${b}`);
const joinReal = runtimeFunction("join", ["string", "real"], "string", (a, b) => `${a}=${b}`);
const twice = runtimeFunction("twice", ["long"], "long", (n) => n * 2n);
const echo = runtimeFunction("echo", ["any"], "dynamic", (v) => (v === null ? "nothing" : v));
const both: RuntimeFunction = {
  ...runtimeFunction("both", ["dynamic?"], "dynamic", (v) => v),
  rest: "long",
  run: (first, rest) => [first === null, JSON.stringify(rest, (_key, n) => `${n}`)],
};

suite("functions in JavaScript", () => {
  test("are called under their physical names, overloads by their order", async () => {
    const expression = "kql_join_0('a', 2) || kql_join_1('b', 0.5)";
    assert.deepEqual(await value([join, twice, joinReal], expression, "string"), ["a:2b=0.5"]);
  });

  test("see nulls only where their parameters allow them", async () => {
    assert.deepEqual(await value([join], "kql_join_0(null, null)", "string"), [":null"]);
    assert.deepEqual(await value([joinReal], "kql_join_0('a', null)", "string"), [""]);
    const rows = "kql_twice_0(x) from (values (1), (null), (4611686018427387903)) t(x)";
    assert.deepEqual(await value([twice], rows, "long"), [2n, null, 9_223_372_036_854_775_806n]);
    assert.deepEqual(await value([echo], "kql_echo_0(null)", "dynamic"), ["nothing"]);
  });

  test("take and give dynamic values with exact integers", async () => {
    const json = '{"a":[12345678901234567890,1.5,"x"]}';
    assert.deepEqual(await value([echo], `kql_echo_0('${json}')`, "dynamic"), [
      { a: [12_345_678_901_234_567_890n, 1.5, "x"] },
    ]);
  });

  test("get further arguments as one array of their type", async () => {
    const expression = "kql_both_0('null', '[1, 9007199254740993]')";
    const answer = [true, '"1,9007199254740993"'];
    assert.deepEqual(await value([both], expression, "dynamic"), [answer]);
  });

  test("are called once per row when volatile", async () => {
    let count = 0n;
    const next: RuntimeFunction = {
      ...runtimeFunction("next", [], "long", () => (count += 1n)),
      isVolatile: true,
    };
    assert.deepEqual(await value([next], "kql_next_0() from range(3)", "long"), [1n, 2n, 3n]);
  });

  test("fail a query with their own sentence", async () => {
    const refuse = runtimeFunction("refuse", ["string"], "string", (text) => {
      throw new KqlError("runtime", `"${text}" is 'wrong'\n`, { code: "E_WRONG" });
    });
    await assert.rejects(value([refuse], "kql_refuse_0('ü')", "string"), {
      name: "KqlError",
      kind: "runtime",
      code: "E_WRONG",
      message: `"ü" is 'wrong'\n`,
    });
    const broken = runtimeFunction("broken", [], "string", () => {
      throw new RangeError("a bug");
    });
    await assert.rejects(value([broken], "kql_broken_0()", "string"), {
      name: "SqlError",
      message: "broken: RangeError: a bug",
    });
  });
});
