import type { Json } from "../../types.ts";
import { isArray } from "../dynamic/json.ts";

/** The points of a series; null where there is none. */
export type Points = readonly (number | null)[];

const NAMED: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  "-Infinity": Number.NEGATIVE_INFINITY,
};

/** Null when the value is no array. An element that is no number is a point that is missing. */
export function pointsOf(series: Json): Points | null {
  return isArray(series) ? series.map(pointOf) : null;
}

/** The numbers of a series that has no missing point; null for any other. */
export function numbersOf(series: Json): readonly number[] | null {
  const points = pointsOf(series);
  return points !== null && points.every((point) => point !== null) ? points : null;
}

/** JSON has no text for NaN and the infinities, so that they come as strings. */
export function pointOf(value: Json): number | null {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  return typeof value === "string" ? (NAMED[value] ?? null) : null;
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

export function meanOf(values: readonly number[]): number {
  return sumOf(values) / values.length;
}

/** The sum of the squared distances from the mean. */
export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return sumOf(values.map((value) => (value - mean) ** 2));
}

/** The variance of a sample, 0 for less than two values. */
export function varianceOf(values: readonly number[]): number {
  return values.length < 2 ? 0 : deviationOf(values) / (values.length - 1);
}

/** A value between two of sorted numbers, by linear interpolation; NaN when there is none. */
export function quantileOf(sorted: readonly number[], fraction: number): number {
  const position = fraction * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(position)], sorted[Math.ceil(position)]];
  if (low === undefined || high === undefined) return Number.NaN;
  return low + (high - low) * (position - Math.floor(position));
}

export function sortedNumbers(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other);
}
