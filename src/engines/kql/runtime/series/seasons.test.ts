import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { array, assert as check, integer, property } from "fast-check";
import { callerOf } from "../call-function.ts";
import { seriesFunctions } from "./index.ts";

const call = callerOf(seriesFunctions);

void suite("seasons", () => {
  const traffic = [
    80, 139, 87, 110, 68, 54, 50, 51, 53, 133, 86, 141, 97, 156, 94, 149, 95, 140, 77, 61, 50, 54,
    47, 133, 72, 152, 94, 148, 105, 162, 101, 160, 87, 63, 53, 55, 54, 151, 103, 189, 108, 183, 113,
    175, 113, 178, 90, 71, 62, 62, 65, 165, 109, 181, 115, 182, 121, 178, 114, 170,
  ];

  test("have periods that are found", () => {
    const [periods, scores] = Object(call("series_periods_detect", traffic, 0, 50, 2n));
    assert.deepEqual(periods, [14, 0]);
    assert.ok(scores[0] > 0.7 && scores[1] === 0);
    const [validated, validity] = Object(call("series_periods_validate", traffic, 14, 10, 100));
    assert.deepEqual(validated, [14, 10, 100]);
    assert.deepEqual([validity[0] > 0.7, validity[1], validity[2]], [true, 0, 0]);
  });

  test("are the medians of the period's places", () => {
    const six = [2, 5, 3, 4, 3, 2, 1, 2, 3, 4, 3, 2, 1, 2, 3, 4, 3, 2, 1, 2, 3, 4, 3, 2, 1];
    assert.deepEqual(call("series_seasonal", six), six.with(0, 1).with(1, 2));
    const five = [8, 12, 14, 12, 10, 10, 12, 14, 12, 10, 10, 12, 14, 12, 10, 10, 12, 14, 12, 10];
    assert.deepEqual(call("series_seasonal", five), five.with(0, 10));
    const short = [1, 3, 5, 2, 4, 6, 1, 3, 5, 2, 4, 6];
    assert.deepEqual(
      call("series_seasonal", short),
      short.map(() => 0),
    );
    assert.deepEqual(
      call("series_seasonal", short, 3n),
      short.map((_, at) => [1.5, 3.5, 5.5][at % 3]),
    );
  });

  test("leave a trend and a rest", () => {
    const series = Array.from({ length: 40 }, (_, at) => at + ([0, 5, 0, -5][at % 4] ?? 0));
    const [baseline, seasonal, trend, residual] = Object(
      call("series_decompose", series, 0n, "linefit"),
    );
    assert.deepEqual([baseline.length, seasonal[0], residual.length], [40, 0, 40]);
    assert.ok(trend[39] > trend[0]);
    check(
      property(
        array(integer({ min: -99, max: 99 }), { minLength: 8, maxLength: 30 }),
        integer({ min: -1, max: 6 }),
        (points, period) => {
          const [base, season, line, rest] = Object(
            call("series_decompose", points, BigInt(period)),
          );
          for (const [at, point] of points.entries()) {
            assert.ok(Math.abs(season[at] + line[at] - base[at]) < 1e-9);
            assert.ok(Math.abs(base[at] + rest[at] - point) < 1e-9);
          }
        },
      ),
    );
    assert.throws(() => call("series_decompose", series, 0n, "steep"), /linefit/);
  });

  test("go on behind what is known", () => {
    const known = Array.from({ length: 24 }, (_, at) => [1, 2, 3, 4][at % 4] ?? 0);
    const [baseline] = Object(
      call("series_decompose_forecast", [...known, null, null, 9, 9], 4n, 4n),
    );
    assert.deepEqual(baseline.slice(-4), [1, 2, 3, 4]);
  });

  test("show what does not belong", () => {
    const series = Array.from(
      { length: 48 },
      (_, at) => ([10, 11, 12, 13, 12, 11][at % 6] ?? 0) + (at % 5) * 0.1,
    );
    series[20] = 40;
    series[33] = -20;
    const [flags, scores, baseline] = Object(call("series_decompose_anomalies", series));
    assert.deepEqual([flags[20], flags[33]], [1, -1]);
    assert.equal(flags.filter((flag: number) => flag !== 0).length, 2);
    assert.deepEqual([scores.length, baseline.length], [48, 48]);
  });

  test("have outliers beyond the ordinary range", () => {
    const series = [30, 28, 27, 31, 38, 29, 80, 25, 37, 30, 5];
    assert.deepEqual(call("series_outliers", series, "tukey"), [
      0,
      0,
      -0.5 / 6.5,
      0,
      4 / 6.5,
      0,
      46 / 6.5,
      -2.5 / 6.5,
      3 / 6.5,
      0,
      -22.5 / 6.5,
    ]);
    assert.deepEqual(call("series_outliers", [1, null, 1], "tukey", 1), [0, 0, 0]);
    const scores = Object(call("series_outliers", series));
    assert.deepEqual([scores[6], scores[10]], [42 / 13, -20 / 13]);
    assert.throws(() => call("series_outliers", series, "other"), /tukey/);
    assert.throws(() => call("series_outliers", series, "ctukey", null, 1, 90), /2 to 98/);
  });
});
