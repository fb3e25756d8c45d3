import { KqlError } from "../../kql-error.ts";
import type { KqlValue } from "../../types.ts";

type Row = readonly KqlValue[];

/** Bins that a timeline may have. */
const BINS_MAX = 100_000;

export interface Event {
  readonly id: string;
  readonly at: KqlValue;
}

/** What happened from `start` to `end`, both included, in bins of `step` that `start` begins. */
export interface Timeline {
  readonly events: readonly Event[];
  readonly start: KqlValue;
  readonly end: KqlValue;
  readonly step: KqlValue;
  readonly lookback: KqlValue;
}

/** Per bin with events: their number, distinct ids, new ids, and all distinct ids so far. */
export function activityCounts(timeline: Timeline): Row[] {
  const seen = new Set<string>();
  return binsOf(timeline).flatMap(({ at, ids }) => {
    const distinct = new Set(ids);
    const fresh = distinct.difference(seen);
    for (const id of fresh) seen.add(id);
    if (ids.length === 0) return [];
    return [[at, ...[ids.length, distinct.size, fresh.size, seen.size].map(BigInt)]];
  });
}

/** Per bin with events: distinct ids, new ids, and what part of the bin before came back or not. */
export function activityMetrics(timeline: Timeline): Row[] {
  const seen = new Set<string>();
  let before = new Set<string>();
  return binsOf(timeline).flatMap(({ at, ids }): Row[] => {
    const distinct = new Set(ids);
    const fresh = distinct.difference(seen);
    for (const id of fresh) seen.add(id);
    const kept = before.size === 0 ? 0 : distinct.intersection(before).size / before.size;
    const lost = before.size === 0 ? 0 : 1 - kept;
    before = distinct;
    return ids.length === 0 ? [] : [[at, BigInt(distinct.size), BigInt(fresh.size), kept, lost]];
  });
}

/** Per bin: events and distinct ids of the bin and those before it that the look-back covers. */
export function slidingCounts(timeline: Timeline): Row[] {
  const { start, end, step, lookback } = timeline;
  const window = Math.max(1, Math.floor(Number(lookback) / Number(step)));
  const bins = binsOf({ ...timeline, start: earlier(start, step, window - 1) });
  return bins.flatMap(({ at }, index): Row[] => {
    if (isBefore(at, start) || isBefore(end, at)) return [];
    const ids = bins.slice(Math.max(0, index - window + 1), index + 1).flatMap((bin) => bin.ids);
    return ids.length === 0 ? [] : [[at, BigInt(ids.length), BigInt(new Set(ids).size)]];
  });
}

interface Bin {
  readonly at: KqlValue;
  readonly ids: string[];
}

export function binsOf({ events, start, end, step }: Timeline): Bin[] {
  const count = Math.floor(distance(start, end, step)) + 1;
  if (!(Number(step) > 0) || !(count <= BINS_MAX)) {
    throw new KqlError("limit", `A timeline has a step above 0 and at most ${BINS_MAX} bins.`);
  }
  const bins = Array.from({ length: Math.max(0, count) }, (_one, index): Bin => {
    return { at: earlier(start, step, -index), ids: [] };
  });
  for (const { id, at } of events) {
    if (at === null || isBefore(at, start) || isBefore(end, at)) continue;
    bins[Math.floor(distance(start, at, step))]?.ids.push(id);
  }
  return bins;
}

/** Steps from one moment to another. */
export function distance(from: KqlValue, to: KqlValue, step: KqlValue): number {
  if (typeof from === "bigint" && typeof to === "bigint" && typeof step === "bigint" && step > 0n) {
    const way = to - from;
    return Number(way / step) - (way < 0n && way % step !== 0n ? 1 : 0);
  }
  return (Number(to) - Number(from)) / Number(step);
}

function earlier(moment: KqlValue, step: KqlValue, steps: number): KqlValue {
  if (typeof moment === "bigint" && typeof step === "bigint") return moment - step * BigInt(steps);
  return Number(moment) - Number(step) * steps;
}

export function isBefore(a: KqlValue, b: KqlValue): boolean {
  return a !== null && b !== null && a < b;
}

interface Point {
  readonly value: KqlValue;
  /** The start of its bin. */
  readonly at: KqlValue;
}

/** Per bin: the nearest-rank percentile of the values of the bin and the `count - 1` before it. */
export function rollingPercentile(
  points: readonly Point[],
  percent: number,
  size: KqlValue,
  count: number,
): Row[] {
  const bins = [...Map.groupBy(points, ({ at }) => at)].toSorted(([a], [b]) =>
    isBefore(a, b) ? -1 : 1,
  );
  return bins.map(([at]): Row => {
    const first = earlier(at, size, count - 1);
    const values = bins
      .filter(([other]) => !isBefore(other, first) && !isBefore(at, other))
      .flatMap(([, members]) => members.map(({ value }) => value))
      .filter((value) => value !== null)
      .toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
    const rank = Math.max(1, Math.ceil((percent / 100) * values.length));
    return [at, values[rank - 1] ?? null];
  });
}
