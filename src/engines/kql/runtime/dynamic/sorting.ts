import type { Json, KqlValue } from "../../types.ts";
import { isArray, isNumber } from "./json.ts";

/**
 * Sorts the first array, and the others in the way of the first; one array comes back by itself,
 * several as an array of arrays, with null for one of another length. A boolean at the end says
 * whether nulls come last, as they do without it.
 */
export function arraySorter(direction: 1 | -1): (values: readonly KqlValue[]) => Json {
  return (values) => {
    const flag = values.at(-1);
    const nullsLast = typeof flag === "boolean" ? flag : true;
    const arrays = typeof flag === "boolean" ? values.slice(0, -1) : values;
    const [first = null] = arrays;
    if (!isArray(first)) return null;

    const order = Array.from(first.keys()).toSorted((one, other) =>
      compare([first[one] ?? null, first[other] ?? null], direction, nullsLast),
    );
    const sorted = arrays.map((array) =>
      isArray(array) && array.length === first.length ? order.map((at) => array[at] ?? null) : null,
    );
    return sorted.length === 1 ? (sorted[0] ?? null) : sorted;
  };
}

/** Numbers come before texts, and texts before all else, in both directions. */
function compare(
  [one, other]: readonly [Json, Json],
  direction: 1 | -1,
  nullsLast: boolean,
): number {
  const [rank, otherRank] = [rankOf(one, nullsLast), rankOf(other, nullsLast)];
  if (rank !== otherRank) return rank - otherRank;
  if (isNumber(one) && isNumber(other)) return direction * sign(one < other, one > other);
  if (typeof one !== "string" || typeof other !== "string") return 0;
  return direction * sign(one < other, one > other);
}

function sign(isLess: boolean, isGreater: boolean): number {
  if (isLess) return -1;
  return isGreater ? 1 : 0;
}

function rankOf(value: Json, nullsLast: boolean): number {
  if (value === null) return nullsLast ? 4 : 0;
  if (isNumber(value)) return 1;
  return typeof value === "string" ? 2 : 3;
}
