import type { Json } from "../../types.ts";
import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { type Points, pointsOf } from "./series.ts";

/** Put numbers where points are missing: null, or a placeholder that is named. */
export const fillFunctions: readonly RuntimeFunction[] = [
  runtimeFunction("series_fill_forward", ["dynamic", "real?"], "dynamic", (series, placeholder) =>
    fillForward(readSeries(series, placeholder)),
  ),
  runtimeFunction(
    "series_fill_backward",
    ["dynamic", "real?"],
    "dynamic",
    (series, placeholder) => {
      const reversed = readSeries(series, placeholder)?.toReversed() ?? null;
      return fillForward(reversed)?.toReversed() ?? null;
    },
  ),
  runtimeFunction(
    "series_fill_const",
    ["dynamic", "real?", "real?"],
    "dynamic",
    (series, constant, placeholder) =>
      readSeries(series, placeholder)?.map((point) => point ?? constant ?? 0) ?? null,
  ),
  runtimeFunction(
    "series_fill_linear",
    ["dynamic", "real?", "bool?", "real?"],
    "dynamic",
    (series, placeholder, ...[fillsEdges, constant]) => {
      const points = readSeries(series, placeholder);
      if (points === null) return null;
      if (points.every((point) => point === null)) return points.map(() => constant ?? 0);
      const filled = fillBetween(points);
      return (fillsEdges ?? true) ? fillEdges(filled) : filled;
    },
  ),
];

function readSeries(series: Json, placeholder: number | null): Points | null {
  const points = pointsOf(series);
  if (points === null || placeholder === null) return points;
  return points.map((point) => (Object.is(point, placeholder) ? null : point));
}

function fillForward(points: Points | null): (number | null)[] | null {
  let last: number | null = null;
  return points?.map((point) => (last = point ?? last)) ?? null;
}

/** Whole numbers stay whole: what lies between is cut off. */
function fillBetween(points: Points): (number | null)[] {
  const isWhole = points.every((point) => point === null || Number.isInteger(point));
  const known = Array.from(points.keys()).filter((at) => points[at] !== null);
  const filled = [...points];
  for (const [index, start] of known.slice(0, -1).entries()) {
    const end = known[index + 1] ?? start;
    const [from, to] = [points[start] ?? 0, points[end] ?? 0];
    for (let at = start + 1; at < end; at += 1) {
      const value = from + ((to - from) * (at - start)) / (end - start);
      filled[at] = isWhole ? Math.trunc(value) : value;
    }
  }
  return filled;
}

function fillEdges(points: Points): (number | null)[] {
  const first = points.find((point) => point !== null) ?? null;
  const last = points.findLast((point) => point !== null) ?? null;
  const start = points.findIndex((point) => point !== null);
  return points.map((point, at) => point ?? (at < start ? first : last));
}
