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
  const split = bestSplit(values);
  const [left, right] = [fitLine(values.slice(0, split)), fitLine(values.slice(split))];
  const lineFit = [...left.line_fit, ...right.line_fit];
  const best = { split, left, right, lineFit, quality: qualityOf(values, lineFit) };
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

/** What lines from the start leave, and lines to the end, at every place; then the lesser. */
function bestSplit(values: readonly number[]): number {
  const left = restsOf(values);
  const right = restsOf(values.toReversed());
  const splits = Array.from(values.keys()).slice(LINE_MIN, 1 - LINE_MIN);
  const restAt = (split: number) => (left[split] ?? 0) + (right[values.length - split] ?? 0);
  return splits.reduce((best, split) => (restAt(split) < restAt(best) ? split : best));
}

/** The squares that a line leaves of the first 0, 1, 2 and so on of the values. */
function restsOf(values: readonly number[]): number[] {
  const rests = [0];
  let [mean, total, mixed] = [0, 0, 0];
  for (const [at, value] of values.entries()) {
    const count = at + 1;
    const change = value - mean;
    const xChange = at - (at - 1) / 2;
    mean += change / count;
    total += change * (value - mean);
    mixed += (at === 0 ? 0 : xChange) * (value - mean);
    const spread = (count * (count * count - 1)) / 12;
    rests.push(spread === 0 ? 0 : total - (mixed * mixed) / spread);
  }
  return rests;
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
  const xs = xSeries === null ? values.map((_, at) => at + 1) : numbersOf(xSeries);
  const power = Number(degree ?? 1n);
  if (xs === null || xs.length !== values.length) return null;
  if (power < 1 || power > DEGREE_MAX || power >= values.length) return null;
  const { coefficients, fitted } = fitPolynomial(xs, values, power);
  const { rsquare, variance, rvariance } = qualityOf(values, fitted);
  return [rsquare, coefficients, variance, rvariance, fitted];
}
