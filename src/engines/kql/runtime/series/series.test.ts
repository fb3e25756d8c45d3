import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { array, assert as check, double, integer, property } from "fast-check";
import { callerOf } from "../call-function.ts";
import { seriesFunctions } from "./index.ts";

const call = callerOf(seriesFunctions);

/** Numbers in any depth, to nine digits. */
function rounded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rounded);
  return typeof value === "number" ? Number(value.toPrecision(9)) : value;
}

void suite("series by element", () => {
  test("are combined, with null for what is missing", () => {
    assert.deepEqual(call("series_add", [1, 2, 4], [4, 2, 1]), [5, 4, 5]);
    assert.deepEqual(call("series_subtract", [10, 20], 5), [5, 15]);
    assert.deepEqual(call("series_multiply", 2n, [1, null, "x"]), [2, null, null]);
    assert.deepEqual(call("series_divide", [1, 2, 4], [4, 2, 1]), [0.25, 1, 4]);
    assert.deepEqual(call("series_divide", [1, 2], [0]), [Number.POSITIVE_INFINITY, null]);
    assert.deepEqual(call("series_pow", [1, 2, 3, 4], [1, 2, 3, 0.5]), [1, 4, 27, 2]);
    assert.equal(call("series_add", { a: 1 }, 1n), null);
  });

  test("are compared", () => {
    assert.deepEqual(call("series_greater", [1, 2, 4], [4, 2, 1]), [false, false, true]);
    assert.deepEqual(call("series_less_equals", [1, 2, 4], [4, 2, 1]), [true, true, false]);
    assert.deepEqual(call("series_not_equals", [1, 2], 1n), [false, true]);
    assert.deepEqual(call("series_equals", ["NaN"], ["NaN"]), [false]);
  });

  test("go through functions", () => {
    assert.deepEqual(call("series_abs", [-6.5, 0, 8.2]), [6.5, 0, 8.2]);
    assert.deepEqual(call("series_acos", [-1, 0, 2]), [Math.PI, Math.PI / 2, Number.NaN]);
    assert.deepEqual(call("series_sign", [-6, 0, 8, null]), [-1, 0, 1, null]);
    assert.deepEqual(call("series_ceiling", [1.5, 2.5]), [2, 3]);
    assert.deepEqual(rounded(call("series_log", [1, 2, 3])), [0, rounded(Math.LN2), 1.09861229]);
  });
});

void suite("a series as one number", () => {
  test("is its sum, product, magnitude or statistics", () => {
    assert.equal(call("series_sum", [1, 2, 3, 4]), 10);
    assert.equal(call("series_sum", [1, null, 2]), 3);
    assert.equal(call("series_product", [1, 2, 3, 4]), 24);
    assert.equal(call("series_magnitude", [3, 4]), 5);
    const stats = call("series_stats", [23, 46, 23, 87, 4, 8, 3, 75, 2, 56, 13, 75, 32, 16, 29]);
    assert.deepEqual(rounded(stats), [2, 8, 87, 3, 32.8, 28.5036339, 812.457143]);
    assert.deepEqual(
      call("series_stats", [1, null]),
      Array.from({ length: 7 }, () => null),
    );
    assert.deepEqual(call("series_stats_dynamic", [1, null, 3], true), {
      min: 1,
      min_idx: 0,
      max: 3,
      max_idx: 2,
      avg: 2,
      stdev: Math.SQRT2,
      variance: 2,
      len: 2,
      sum: 4,
    });
  });

  test("is what it has in common with another", () => {
    assert.equal(call("series_dot_product", [1, 2, 3], [4, 5, 6]), 32);
    assert.equal(call("series_dot_product", [1, 2], 3n), 9);
    assert.equal(call("series_dot_product", [1, "x", 3], [4, 5, 6, 7]), 22);
    assert.equal(call("series_dot_product", [], [1]), null);
    assert.equal(
      rounded(call("series_cosine_similarity", [0.1, 0.2, 0.1, 0.2], [0.11, 0.2, 0.11, 0.21])),
      0.999353438,
    );
    assert.equal(rounded(call("series_pearson_correlation", [0, 1, 2, 3], [7, 5, 3, 1])), -1);
    assert.equal(call("series_pearson_correlation", [0, 1], [7]), null);
  });
});

void suite("gaps in a series", () => {
  const gaps = [null, 111, null, 36, 41, null, null, 16, 61, 33, null, null];

  test("are filled from before, from behind, or with a constant", () => {
    assert.deepEqual(call("series_fill_forward", gaps), [
      null,
      111,
      111,
      36,
      41,
      41,
      41,
      16,
      61,
      33,
      33,
      33,
    ]);
    assert.deepEqual(call("series_fill_backward", gaps), [
      111,
      111,
      36,
      36,
      41,
      16,
      16,
      16,
      61,
      33,
      null,
      null,
    ]);
    assert.deepEqual(call("series_fill_const", [1, null, -1], 7, -1), [1, 7, 7].with(1, 7));
    assert.deepEqual(call("series_fill_const", [null]), [0]);
  });

  test("are filled along a line", () => {
    assert.deepEqual(
      call("series_fill_linear", gaps),
      [111, 111, 73, 36, 41, 32, 24, 16, 61, 33, 33, 33],
    );
    assert.deepEqual(call("series_fill_linear", gaps, null, false), [
      null,
      111,
      73,
      36,
      41,
      32,
      24,
      16,
      61,
      33,
      null,
      null,
    ]);
    assert.deepEqual(call("series_fill_linear", [0.5, null, null, 2]), [0.5, 1, 1.5, 2]);
    assert.deepEqual(call("series_fill_linear", [null, null], null, true, 7.5), [7.5, 7.5]);
  });
});

void suite("filters", () => {
  test("take a window of points, before or around each", () => {
    const points = [0, 0, 10, 20, 10, 0, 0];
    assert.deepEqual(call("series_fir", points, [1, 1, 1]), [0, 0, 10 / 3, 10, 40 / 3, 10, 10 / 3]);
    assert.deepEqual(call("series_fir", points, [1, 1, 1], true, true), [
      0,
      10 / 3,
      10,
      40 / 3,
      10,
      10 / 3,
      0,
    ]);
    assert.deepEqual(call("series_fir", [0, 2, 2, 3], [1, -1]), [0, 2, 0, 1]);
    assert.equal(call("series_fir", [0, 2], [1, -1], true), null);
  });

  test("take back their own output", () => {
    assert.deepEqual(call("series_iir", [10, 30, 0], [1], [1, -1]), [10, 40, 40]);
    assert.equal(call("series_iir", [10, 30, 0], [1], [0, -1]), null);
  });
});

void suite("the Fourier transform", () => {
  test("finds the frequencies of a series", () => {
    const wave = [0, 1, 0, -1];
    assert.deepEqual(rounded(call("series_fft", [1, 0, 0, 0])), [
      [1, 1, 1, 1],
      [0, 0, 0, 0],
    ]);
    const [real, imaginary] = Object(call("series_fft", wave));
    assert.ok(Math.abs(real[1]) < 1e-12 && Math.abs(imaginary[1] + 2) < 1e-12);
    assert.deepEqual(rounded(call("series_fft", [1, 2, 4])), [
      [7, -2, -2],
      [0, 1.73205081, -1.73205081],
    ]);
  });

  test("comes back, for any length", () => {
    check(
      property(
        array(integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 40 }),
        (series) => {
          const [real, imaginary] = Object(call("series_fft", series));
          const [back] = Object(call("series_ifft", real, imaginary));
          for (const [at, value] of series.entries()) assert.ok(Math.abs(value - back[at]) < 1e-8);
        },
      ),
    );
  });
});

void suite("fits", () => {
  test("of a line", () => {
    const fit = call("series_fit_line", [2, 5, 6, 8, 11, 15, 17, 18, 25, 26, 30, 30]);
    const [rsquare, slope, variance, rvariance, interception, line] = Object(fit);
    const digits = [rsquare, slope, variance, rvariance].map((it) => Number(it.toFixed(3)));
    assert.deepEqual(digits, [0.983, 2.731, 98.629, 1.686]);
    assert.ok(Math.abs(line[1] - interception - slope) < 1e-12);
    assert.equal(rounded(Object(call("series_fit_line", [1, 2, 4, 8]))[0]), 0.92);
    assert.equal(call("series_fit_line", [1, null, 2]), null);
  });

  test("of two lines, at the split that leaves the least", () => {
    const fit = Object(call("series_fit_2lines_dynamic", [1, 2, 3, 4, 10, 8, 6, 4]));
    assert.deepEqual([fit.split_idx, fit.left.slope, fit.right.slope], [4, 1, -2]);
    assert.equal(fit.rsquare, 1);
    assert.equal(Object(call("series_fit_2lines", [1, 2, 3, 4, 10, 8, 6, 4])).length, 15);
  });

  test("of a polynomial give back its coefficients", () => {
    check(
      property(
        array(double({ min: -9, max: 9, noNaN: true }), { minLength: 2, maxLength: 5 }),
        (terms) => {
          const at = (x: number) => terms.reduce((sum, term) => sum * x + term, 0);
          const series = Array.from({ length: 12 }, (_, index) => at(index + 1));
          const [, coefficients] = Object(
            call("series_fit_poly", series, null, BigInt(terms.length - 1)),
          );
          for (const [index, term] of terms.entries())
            assert.ok(Math.abs(term - coefficients[index]) < 1e-6);
        },
      ),
    );
    assert.equal(call("series_fit_poly", [1, 2], null, 5n), null);
  });
});
