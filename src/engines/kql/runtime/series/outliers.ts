import { KqlError } from "../../kql-error.ts";
import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { type Points, pointsOf, quantileOf, sortedNumbers } from "./series.ts";

/** Percentiles between which points are ordinary. */
const RANGES: Readonly<Record<string, readonly [low: number, high: number]>> = {
  tukey: [25, 75],
  ctukey: [10, 90],
};
const PERCENTILE_MIN = 2;
const PERCENTILE_MAX = 98;

export const outlierFunctions: readonly RuntimeFunction[] = [
  runtimeFunction(
    "series_outliers",
    ["dynamic", "string?", "real?", "real?", "real?", "long?"],
    "dynamic",
    (series, kind, ...[ignored, low, high, testPoints]) => {
      const points = pointsOf(series)?.map((it) => (Object.is(it, ignored) ? null : it));
      if (points === undefined) return null;
      const learnt = points.slice(0, Math.max(points.length - Number(testPoints ?? 0n), 0));
      const options = { learnt, low: low ?? undefined, high: high ?? undefined };
      return outlierScores(points, { kind: kind ?? "ctukey", ...options });
    },
  ),
];

interface OutlierOptions {
  readonly kind: string;
  /** The points that say what is ordinary. */
  readonly learnt: Points;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

/**
 * How many ordinary ranges each point lies above (below zero: under) the ordinary range. Tukey's
 * test takes more than 1.5 for an outlier and more than 3 for one that is far out. A point that
 * is missing has a score of 0.
 */
export function outlierScores(points: Points, { kind, learnt, ...custom }: OutlierOptions) {
  const range = RANGES[kind.toLowerCase()];
  if (range === undefined) {
    throw new KqlError("semantic", `Outliers are found by 'tukey' or 'ctukey', not '${kind}'.`);
  }
  const isCustom = kind.toLowerCase() === "ctukey";
  const [low, high] = isCustom ? [custom.low ?? range[0], custom.high ?? range[1]] : range;
  if (low < PERCENTILE_MIN || high > PERCENTILE_MAX || low >= high) {
    const limits = `${PERCENTILE_MIN} to ${PERCENTILE_MAX}`;
    throw new KqlError("semantic", `Percentiles of outliers are ${limits}, not ${low} to ${high}.`);
  }

  const sorted = sortedNumbers(learnt.filter((point) => point !== null));
  const [bottom, top] = [quantileOf(sorted, low / 100), quantileOf(sorted, high / 100)];
  return points.map((point) => (point === null ? 0 : score(point, bottom, top)));
}

function score(point: number, bottom: number, top: number): number {
  if (point > top) return (point - top) / (top - bottom);
  return point < bottom ? (point - bottom) / (top - bottom) : 0;
}
