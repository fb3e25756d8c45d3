import type { Json } from "../../types.ts";
import { isArray } from "../dynamic/json.ts";
import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { deviationOf, meanOf, numbersOf, pointOf, pointsOf, sumOf, varianceOf } from "./series.ts";

/** One number, or a few, from one or two series. */
export const totalFunctions: readonly RuntimeFunction[] = [
  runtimeFunction("series_sum", ["dynamic"], "real", (series) => {
    const numbers = pointsOf(series)?.filter((point) => point !== null);
    return numbers === undefined ? null : sumOf(numbers);
  }),
  runtimeFunction("series_product", ["dynamic"], "real", (series) => {
    const numbers = pointsOf(series)?.filter((point) => point !== null);
    return numbers?.reduce((product, value) => product * value, 1) ?? null;
  }),
  runtimeFunction("series_magnitude", ["dynamic"], "real", magnitude),
  ...(["dynamic", "real", "long", "int"] as const).map((type) =>
    runtimeFunction("series_dot_product", ["dynamic", type], "real", (one: Json, other: Json) =>
      dotProduct(one, other),
    ),
  ),
  ...(["real", "long", "int"] as const).map((type) =>
    runtimeFunction("series_dot_product", [type, "dynamic"], "real", (one: Json, other: Json) =>
      dotProduct(other, one),
    ),
  ),
  runtimeFunction(
    "series_cosine_similarity",
    ["dynamic", "dynamic", "real?", "real?"],
    "real",
    (one, other, ...[oneMagnitude, otherMagnitude]) => {
      const sizes = [oneMagnitude ?? magnitude(one), otherMagnitude ?? magnitude(other)];
      const [size = null, otherSize = null] = sizes;
      const product = dotProduct(one, other);
      return product === null || size === null || otherSize === null
        ? null
        : product / (size * otherSize);
    },
  ),
  runtimeFunction("series_pearson_correlation", ["dynamic", "dynamic"], "real", pearson),
  ...[true, false].map((isDynamic) =>
    runtimeFunction(
      isDynamic ? "series_stats_dynamic" : "series_stats",
      ["dynamic", "bool?"],
      "dynamic",
      (series, ignoresNonFinite) => {
        const stats = statsOf(series, ignoresNonFinite ?? false);
        if (stats === null) return null;
        return isDynamic ? stats : Object.values(stats).slice(0, STATS_COLUMNS);
      },
    ),
  ),
];

/** `series_stats` does not give the last two, `len` and `sum`. */
const STATS_COLUMNS = 7;

function magnitude(series: Json): number | null {
  const squares = dotProduct(series, series);
  return squares === null ? null : Math.sqrt(squares);
}

/** Up to the end of the shorter series; what is no number is left out. Null of nothing. */
function dotProduct(one: Json, other: Json): number | null {
  const left = pointsOf(one);
  const right = isArray(other) ? pointsOf(other) : left?.map(() => pointOf(other));
  if (left === null || right === null || right === undefined) return null;
  const products = left.flatMap((value, at) => {
    const partner = right[at] ?? null;
    return value === null || partner === null ? [] : [value * partner];
  });
  return left.length === 0 || right.length === 0 ? null : sumOf(products);
}

/** Null when a point is missing or the lengths differ. */
function pearson(one: Json, other: Json): number | null {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  if (left === null || right === null || left.length !== right.length) return null;
  const [leftMean, rightMean] = [meanOf(left), meanOf(right)];
  const products = left.map((value, at) => (value - leftMean) * ((right[at] ?? 0) - rightMean));
  return sumOf(products) / Math.sqrt(deviationOf(left) * deviationOf(right));
}

/** Nothing is known of a series with missing points, unless those are to be left out. */
function statsOf(series: Json, ignoresNonFinite: boolean) {
  if (!isArray(series)) return null;
  const points = series.map((value, at) => ({ value: pointOf(value), at }));
  const known = points.flatMap(({ value, at }) => (value === null ? [] : [{ value, at }]));
  const used = ignoresNonFinite ? known.filter(({ value }) => Number.isFinite(value)) : known;
  const [first] = used;
  if (first === undefined || (!ignoresNonFinite && used.length < points.length)) return EMPTY_STATS;

  let [low, high] = [first, first];
  for (const point of used) {
    if (point.value < low.value) low = point;
    if (point.value > high.value) high = point;
  }
  const values = used.map(({ value }) => value);
  const variance = varianceOf(values);
  return {
    min: low.value,
    min_idx: low.at,
    max: high.value,
    max_idx: high.at,
    avg: meanOf(values),
    stdev: Math.sqrt(variance),
    variance,
    len: values.length,
    sum: sumOf(values),
  };
}

const EMPTY_STATS = {
  min: null,
  min_idx: null,
  max: null,
  max_idx: null,
  avg: null,
  stdev: null,
  variance: null,
  len: null,
  sum: null,
};
