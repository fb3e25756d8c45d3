import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { assert as check, double, property } from "fast-check";
import { callerOf } from "../call-function.ts";
import { statisticsFunctions } from "./index.ts";

const call = callerOf(statisticsFunctions);

function isClose(actual: unknown, expected: number, tolerance = 1e-12): void {
  assert.ok(typeof actual === "number");
  const isNear = Math.abs(actual - expected) <= tolerance * Math.abs(expected);
  assert.ok(isNear, `${actual} is not ${expected}`);
}

void suite("the beta distribution", () => {
  test("has a density, a part below and an inverse", () => {
    isClose(call("beta_cdf", 0.9, 10, 20), 0.999999999999959);
    isClose(call("beta_pdf", 0.5, 10, 20), 0.746176019310951, 1e-11);
    isClose(call("beta_inv", 0.1, 10, 20), 0.226415022388749, 1e-11);
  });

  test("is not a number outside of its range", () => {
    assert.equal(call("beta_cdf", 1.5, 10, 20), Number.NaN);
    assert.equal(call("beta_pdf", -10, 10, 20), Number.NaN);
    assert.equal(call("beta_inv", 0.1, -1, 20), Number.NaN);
    assert.equal(call("beta_cdf", 0.1, 10_001, 20), Number.NaN);
    assert.equal(call("beta_inv", 1.5, 10, 20), null);
  });

  test("comes back from its inverse", () => {
    const shape = double({ min: 0.5, max: 50, noNaN: true });
    check(
      property(double({ min: 0.01, max: 0.99, noNaN: true }), shape, shape, (p, alpha, beta) => {
        isClose(call("beta_cdf", call("beta_inv", p, alpha, beta), alpha, beta), p, 1e-6);
      }),
    );
  });
});

void suite("the gamma and error functions", () => {
  test("are exact", () => {
    assert.equal(call("gamma", 5), 24);
    isClose(call("gamma", 0.5), Math.sqrt(Math.PI));
    isClose(call("gamma", -0.5), -2 * Math.sqrt(Math.PI));
    assert.equal(call("gamma", 0), Number.NaN);
    assert.equal(call("gamma", 200), Number.POSITIVE_INFINITY);
    isClose(call("loggamma", 5), Math.log(24));
    isClose(call("loggamma", 200), 857.933669825857, 1e-12);
    const complements = [
      1.999977909503001, 1.995322265018953, 1.842700792949715, 1, 0.157299207050285,
      0.00467773498104727, 2.20904969985854e-5,
    ];
    for (const [at, expected] of complements.entries()) isClose(call("erfc", at - 3), expected);
    isClose(call("erf", 1), 0.842700792949715);
    isClose(call("erf", -2), -0.995322265018953);
    assert.equal(call("erf", 0), 0);
  });
});

void suite("samples", () => {
  test("are told apart by Welch's test", () => {
    const one = [27.5, 21, 19, 23.6, 17, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19, 21.7, 21.4];
    const other = [
      27.1, 22, 20.8, 23.4, 23.4, 23.5, 25.8, 22, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4,
    ];
    const shape = (values: number[]) => {
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
      return [mean, squares / (values.length - 1), values.length] as const;
    };
    isClose(call("welch_test", ...shape(one), ...shape(other)), 0.021378, 1e-4);
  });

  test("have percentiles by weight", () => {
    assert.deepEqual(
      call("percentilesw_of", [10, 20, 30, 40], [8, 6, 3, 1], [50, 75, 99.9]),
      [20, 20, 40],
    );
    assert.deepEqual(call("percentilesw_of", ["b", "a"], [1, 3], 50), ["a"]);
    assert.deepEqual(call("percentilesw_of", [1], [0], [50]), [null]);
  });
});
