import { deviationOf, meanOf, sumOf, varianceOf } from "./series.ts";

/** A straight line through points at 0, 1, 2 and so on. */
export interface Line {
  readonly rsquare: number;
  readonly slope: number;
  readonly variance: number;
  /** Variance of what the line leaves. */
  readonly rvariance: number;
  readonly interception: number;
  readonly line_fit: readonly number[];
}

/** The line with the least squares; of a single point it is level. */
export function fitLine(values: readonly number[]): Line {
  const middle = (values.length - 1) / 2;
  const mean = meanOf(values);
  const spread = sumOf(values.map((_, at) => (at - middle) ** 2));
  const slope =
    spread === 0 ? 0 : sumOf(values.map((value, at) => (at - middle) * (value - mean))) / spread;
  const interception = mean - slope * middle;
  const fitted = values.map((_, at) => interception + slope * at);
  return { slope, interception, line_fit: fitted, ...qualityOf(values, fitted) };
}

/** How well a fit describes the values. */
export function qualityOf(values: readonly number[], fitted: readonly number[]) {
  const rest = sumOf(values.map((value, at) => (value - (fitted[at] ?? 0)) ** 2));
  const total = deviationOf(values);
  return {
    rsquare: total === 0 ? 1 : 1 - rest / total,
    variance: varianceOf(values),
    rvariance: values.length < 2 ? 0 : rest / (values.length - 1),
  };
}
