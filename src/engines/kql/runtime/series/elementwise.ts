import type { Json } from "../../types.ts";
import { isArray } from "../dynamic/json.ts";
import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { pointOf, pointsOf } from "./series.ts";

const UNARY: Readonly<Record<string, (value: number) => number>> = {
  series_abs: Math.abs,
  series_acos: Math.acos,
  series_asin: Math.asin,
  series_atan: Math.atan,
  series_ceiling: Math.ceil,
  series_cos: Math.cos,
  series_exp: Math.exp,
  series_floor: Math.floor,
  series_log: Math.log,
  series_sign: Math.sign,
  series_sin: Math.sin,
  series_tan: Math.tan,
};

const BINARY: Readonly<Record<string, (one: number, other: number) => number | boolean>> = {
  series_add: (one, other) => one + other,
  series_subtract: (one, other) => one - other,
  series_multiply: (one, other) => one * other,
  series_divide: (one, other) => one / other,
  series_pow: (one, other) => one ** other,
  series_equals: (one, other) => one === other,
  series_not_equals: (one, other) => one !== other,
  series_less: (one, other) => one < other,
  series_less_equals: (one, other) => one <= other,
  series_greater: (one, other) => one > other,
  series_greater_equals: (one, other) => one >= other,
};

const OPERANDS = [
  ["dynamic", "dynamic"],
  ["dynamic", "real"],
  ["dynamic", "long"],
  ["dynamic", "int"],
  ["real", "dynamic"],
  ["long", "dynamic"],
  ["int", "dynamic"],
] as const;

/** One element at a time; what is no number, or missing in the shorter series, gives null. */
export const elementwiseFunctions: readonly RuntimeFunction[] = [
  ...Object.entries(UNARY).map(([name, apply]) =>
    runtimeFunction(name, ["dynamic"], "dynamic", (series) => {
      const points = pointsOf(series);
      return points === null ? null : points.map((point) => (point === null ? null : apply(point)));
    }),
  ),
  ...Object.entries(BINARY).flatMap(([name, apply]) =>
    OPERANDS.map((types) =>
      runtimeFunction(name, types, "dynamic", (one: Json, other: Json) =>
        combine(one, other, apply),
      ),
    ),
  ),
];

/** A number stands for a series of the length of the other one. */
function combine(
  one: Json,
  other: Json,
  apply: (one: number, other: number) => number | boolean,
): Json {
  if (!isArray(one) && !isArray(other)) return null;
  const length = Math.max(isArray(one) ? one.length : 0, isArray(other) ? other.length : 0);
  return Array.from({ length }, (_, at) => {
    const [left, right] = [pointAt(one, at), pointAt(other, at)];
    return left === null || right === null ? null : apply(left, right);
  });
}

function pointAt(operand: Json, at: number): number | null {
  return pointOf(isArray(operand) ? (operand[at] ?? null) : operand);
}
