import type { Json } from "../../types.ts";
import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { pointsOf, type Points, sumOf } from "./series.ts";

export const filterFunctions: readonly RuntimeFunction[] = [
  runtimeFunction(
    "series_fir",
    ["dynamic", "dynamic", "bool?", "bool?"],
    "dynamic",
    (series, filter, ...[normalize, center]) => {
      const [points, weights] = [pointsOf(series), numbersOrNull(filter)];
      if (points === null || weights === null) return null;
      return finiteResponse(points, weights, { normalize, center: center ?? false });
    },
  ),
  runtimeFunction(
    "series_iir",
    ["dynamic", "dynamic", "dynamic"],
    "dynamic",
    (series, ...filters) => {
      const points = pointsOf(series);
      const [numerators = null, denominators = null] = filters.map(numbersOrNull);
      if (points === null || numerators === null || denominators === null) return null;
      return recursiveResponse(points, numerators, denominators);
    },
  ),
];

function numbersOrNull(filter: Json): number[] | null {
  const points = pointsOf(filter);
  return points === null || points.length === 0 ? null : points.map((point) => point ?? 0);
}

/** A missing point counts as 0. */
function finiteResponse(
  points: Points,
  filter: readonly number[],
  { normalize, center }: { normalize: boolean | null; center: boolean },
): number[] | null {
  const hasNegative = filter.some((weight) => weight < 0);
  if (normalize === true && hasNegative) return null;
  const total = (normalize ?? !hasNegative) ? sumOf(filter) : 1;
  const shift = center ? Math.floor((filter.length - 1) / 2) : 0;
  return points.map((_, at) => {
    const terms = filter.map((weight, back) => weight * (points[at + shift - back] ?? 0));
    return sumOf(terms) / total;
  });
}

/** The difference equation of a digital filter; the first denominator scales all. */
function recursiveResponse(
  points: Points,
  numerators: readonly number[],
  denominators: readonly number[],
): number[] | null {
  const [scale = 0, ...feedback] = denominators;
  if (scale === 0) return null;
  const output: number[] = [];
  for (const at of points.keys()) {
    const ahead = numerators.map((weight, back) => weight * (points[at - back] ?? 0));
    const behind = feedback.map((weight, back) => weight * (output[at - back - 1] ?? 0));
    output.push((sumOf(ahead) - sumOf(behind)) / scale);
  }
  return output;
}
