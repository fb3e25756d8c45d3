import type { Json } from "../../types.ts";
import { isArray } from "../dynamic/json.ts";
import { pointOf } from "../series/series.ts";

interface Weighted {
  readonly value: Json;
  readonly order: number | string;
  readonly weight: number;
}

/**
 * Of values with weights, the first in order at which the sum of weights reaches each percentage;
 * one array of answers. Values are numbers or texts; null when nothing has a weight.
 */
export function weightedPercentiles(values: Json, weights: Json, percentages: Json): Json {
  const items = weightedItems(values, weights);
  const wanted = isArray(percentages) ? percentages : [percentages];
  const total = items.reduce((sum, { weight }) => sum + weight, 0);
  return wanted.map((percentage) => {
    const share = pointOf(percentage);
    if (share === null || items.length === 0) return null;
    const goal = (total * Math.min(Math.max(share, 0), 100)) / 100;
    let reached = 0;
    const found = items.find(({ weight }) => (reached += weight) >= goal);
    return (found ?? items.at(-1))?.value ?? null;
  });
}

function weightedItems(values: Json, weights: Json): Weighted[] {
  if (!isArray(values) || !isArray(weights)) return [];
  const items = values.flatMap((value, at) => {
    const order = typeof value === "string" ? value : pointOf(value);
    const weight = pointOf(weights[at] ?? null) ?? 0;
    return order === null || !(weight > 0) ? [] : [{ value, order, weight }];
  });
  return items.toSorted((one, other) => {
    if (one.order === other.order) return 0;
    return one.order < other.order ? -1 : 1;
  });
}
