import type { Json } from "../../types.ts";
import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { fitLine, qualityOf } from "./lines.ts";
import { fitPolynomial } from "./polynomial.ts";
import { numbersOf } from "./series.ts";

/** Fewest points of a line, so of each half of two lines. */
const LINE_MIN = 2;
const DEGREE_MAX = 100;

/** The plain ones give an array of their columns, the `_dynamic` ones a bag. */
export const fitFunctions: readonly RuntimeFunction[] = [
  runtimeFunction("series_fit_line", ["dynamic"], "dynamic", (series) => {
    const fit = lineOf(series);
    return fit === null
      ? null
      : [fit.rsquare, fit.slope, fit.variance, fit.rvariance, fit.interception, fit.line_fit];
  }),
  runtimeFunction("series_fit_line_dynamic", ["dynamic"], "dynamic", (series) => {
    const fit = lineOf(series);
    return fit === null ? null : { ...fit };
  }),
  runtimeFunction("series_fit_2lines", ["dynamic"], "dynamic", (series) => {
    const fit = twoLinesOf(series);
    return fit === null ? null : Object.values(fit);
  }),
  runtimeFunction("series_fit_2lines_dynamic", ["dynamic"], "dynamic", twoLinesBag),
  runtimeFunction("series_fit_poly", ["dynamic", "dynamic?", "long?"], "dynamic", fitPoly),
];

function lineOf(series: Json) {
  const values = numbersOf(series);
  return values === null || values.length < LINE_MIN ? null : fitLine(values);
}

/** The best split is the one whose lines leave the least. */
function twoLinesOf(series: Json) {
  const values = numbersOf(series);
  if (values === null || values.length < 2 * LINE_MIN) return null;
  const splits = Array.from(values.keys()).slice(LINE_MIN, 1 - LINE_MIN);
  const fits = splits.map((split) => {
    const [left, right] = [fitLine(values.slice(0, split)), fitLine(values.slice(split))];
    const lineFit = [...left.line_fit, ...right.line_fit];
    return { split, left, right, lineFit, quality: qualityOf(values, lineFit) };
  });
  const best = fits.reduce((one, other) =>
    other.quality.rsquare > one.quality.rsquare ? other : one,
  );
  return {
    rsquare: best.quality.rsquare,
    split_idx: best.split,
    variance: best.quality.variance,
    rvariance: best.quality.rvariance,
    line_fit: best.lineFit,
    right_rsquare: best.right.rsquare,
    right_slope: best.right.slope,
    right_interception: best.right.interception,
    right_variance: best.right.variance,
    right_rvariance: best.right.rvariance,
    left_rsquare: best.left.rsquare,
    left_slope: best.left.slope,
    left_interception: best.left.interception,
    left_variance: best.left.variance,
    left_rvariance: best.left.rvariance,
  };
}

function twoLinesBag(series: Json): Json {
  const fit = twoLinesOf(series);
  if (fit === null) return null;
  const { rsquare, split_idx, variance, rvariance, line_fit, ...sides } = fit;
  const side = (name: "left" | "right") => ({
    rsquare: sides[`${name}_rsquare`],
    slope: sides[`${name}_slope`],
    interception: sides[`${name}_interception`],
    variance: sides[`${name}_variance`],
    rvariance: sides[`${name}_rvariance`],
  });
  const whole = { rsquare, split_idx, variance, rvariance, line_fit };
  return { ...whole, right: side("right"), left: side("left") };
}

function fitPoly(series: Json, xSeries: Json, degree: bigint | null): Json {
  const values = numbersOf(series);
  if (values === null) return null;
  const xs = xSeries === null ? Array.from(values.keys()) : numbersOf(xSeries);
  const power = Number(degree ?? 1n);
  if (xs === null || xs.length !== values.length) return null;
  if (power < 1 || power > DEGREE_MAX || power >= values.length) return null;
  const { coefficients, fitted } = fitPolynomial(xs, values, power);
  const { rsquare, variance, rvariance } = qualityOf(values, fitted);
  return [rsquare, coefficients, variance, rvariance, fitted];
}
