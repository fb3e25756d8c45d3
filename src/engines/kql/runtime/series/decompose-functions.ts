import type { Json } from "../../types.ts";
import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { decompose, type DecompositionOptions, seasonalOf } from "./decomposition.ts";
import { outlierScores } from "./outliers.ts";
import { pointsOf } from "./series.ts";

const DECOMPOSE_THRESHOLD = 0.6;
const SEASONAL_THRESHOLD = 0.7;
const ANOMALY_THRESHOLD = 1.5;

export const decomposeFunctions: readonly RuntimeFunction[] = [
  runtimeFunction(
    "series_seasonal",
    ["dynamic", "long?", "long?"],
    "dynamic",
    (series, period, testPoints) => {
      const points = pointsOf(series);
      const seasonality = Number(period ?? -1n);
      const options = { seasonality, testPoints: Number(testPoints ?? 0n) };
      return points && seasonalOf(points, { ...options, threshold: SEASONAL_THRESHOLD });
    },
  ),
  // Both of these: baseline, seasonal, trend, residual.
  runtimeFunction(
    "series_decompose",
    ["dynamic", "long?", "string?", "long?", "real?"],
    "dynamic",
    (series, seasonality, ...[trend, testPoints, threshold]) => {
      const points = pointsOf(series);
      const options = optionsOf({ seasonality, trend, testPoints, threshold });
      return points && Object.values(decompose(points, options));
    },
  ),
  runtimeFunction(
    "series_decompose_forecast",
    ["dynamic", "long", "long?", "string?", "real?"],
    "dynamic",
    (series, testPoints, ...[seasonality, trend, threshold]) => {
      const points = pointsOf(series);
      const options = optionsOf({ seasonality, trend, testPoints, threshold });
      return points && Object.values(decompose(points, options));
    },
  ),
  // ad_flag, ad_score, baseline.
  runtimeFunction(
    "series_decompose_anomalies",
    ["dynamic", "real?", "long?", "string?", "long?", "string?", "real?"],
    "dynamic",
    (series, limit, ...[seasonality, trend, testPoints, method, threshold]) => {
      const options = optionsOf({ seasonality, trend, testPoints, threshold });
      return anomalies(series, options, { limit: limit ?? ANOMALY_THRESHOLD, method });
    },
  ),
];

interface Arguments {
  readonly seasonality: bigint | null;
  readonly trend: string | null;
  readonly testPoints: bigint | null;
  readonly threshold: number | null;
}

function optionsOf({ seasonality, trend, testPoints, threshold }: Arguments): DecompositionOptions {
  return {
    seasonality: Number(seasonality ?? -1n),
    trend: trend === null || trend === "" ? "avg" : trend.toLowerCase(),
    testPoints: Number(testPoints ?? 0n),
    threshold: threshold ?? DECOMPOSE_THRESHOLD,
  };
}

function anomalies(
  series: Json,
  options: DecompositionOptions,
  { limit, method }: { readonly limit: number; readonly method: string | null },
): Json {
  const points = pointsOf(series);
  if (points === null) return null;
  const { baseline, residual } = decompose(points, options);
  const learnt = residual.slice(0, Math.max(residual.length - options.testPoints, 0));
  const kind = method === null || method === "" ? "ctukey" : method;
  const scores = outlierScores(residual, { kind, learnt });
  const flags = scores.map((score) => (Math.abs(score) <= limit ? 0 : Math.sign(score)));
  return [flags, scores, baseline];
}
