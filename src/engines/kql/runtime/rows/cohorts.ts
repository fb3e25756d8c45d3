import type { KqlValue } from "../../types.ts";
import { binsOf, distance, isBefore, type Timeline } from "./timelines.ts";

type Row = readonly KqlValue[];

/**
 * For each bin in which ids are new, and each bin from there on: ids that were not seen up to the
 * first, how many of the new ones are there again and how many are not, and both as rates. Ids of
 * `known` are never new. With a `cohort`, only for the bin that it is in.
 */
export function newActivity(
  timeline: Timeline,
  known: ReadonlySet<string>,
  cohort: KqlValue,
): Row[] {
  const bins = binsOf(timeline).map(({ at, ids }) => ({ at, ids: new Set(ids) }));
  const wanted = cohort === null ? undefined : distance(timeline.start, cohort, timeline.step);
  let seen = new Set(known);
  return bins.flatMap((from, index): Row[] => {
    const fresh = from.ids.difference(seen);
    const before = seen;
    seen = seen.union(from.ids);
    if (fresh.size === 0 || (wanted !== undefined && Math.floor(wanted) !== index)) return [];
    return bins.slice(index).map((to): Row => {
      const retained = to.ids.intersection(fresh).size;
      const others = to === from ? fresh : to.ids.difference(before).difference(from.ids);
      const [more, kept, lost] = [others.size, retained, fresh.size - retained].map(BigInt);
      const rate = retained / fresh.size;
      return [from.at, to.at, more ?? 0n, kept ?? 0n, lost ?? 0n, rate, 1 - rate];
    });
  });
}

/** Per bin with events: sessions, which last while an id comes again within the look-back. */
export function sessionCounts(timeline: Timeline): Row[] {
  const { events, lookback } = timeline;
  const byId = Map.groupBy(sorted(events), ({ id }) => id);
  const sessions = [...byId].flatMap(([id, mine]) => {
    let number = 0;
    let before: KqlValue = null;
    return mine.map(({ at }) => {
      if (before !== null && gap(before, at) > Number(lookback)) number++;
      before = at;
      return { id: `${String(number)} ${id}`, at };
    });
  });
  return binsOf({ ...timeline, events: sessions }).flatMap(({ at, ids }): Row[] => {
    return ids.length === 0 ? [] : [[at, BigInt(new Set(ids).size)]];
  });
}

export interface Fans {
  readonly period: KqlValue;
  /** In how many periods of the look-back an id has to be seen. */
  readonly least: number;
}

/** Per bin: ids that were seen often enough in the look-back before one of their events. */
export function activeUsers(timeline: Timeline, { period, least }: Fans): Row[] {
  const { events, lookback, start } = timeline;
  const byId = Map.groupBy(sorted(events), ({ id }) => id);
  const active = [...byId.values()].flatMap((mine) => {
    let first = 0;
    return mine.filter(({ at }, index) => {
      while (gap(mine[first]?.at ?? at, at) >= Number(lookback)) first++;
      const window = mine.slice(first, index + 1);
      const periods = window.map((one) => Math.floor(distance(start, one.at, period)));
      return new Set(periods).size >= least;
    });
  });
  return binsOf({ ...timeline, events: active }).flatMap(({ at, ids }): Row[] => {
    return ids.length === 0 ? [] : [[at, BigInt(new Set(ids).size)]];
  });
}

function sorted(events: Timeline["events"]): Timeline["events"][number][] {
  return events
    .filter(({ at }) => at !== null)
    .toSorted((a, b) => (isBefore(a.at, b.at) ? -1 : Number(isBefore(b.at, a.at))));
}

function gap(from: KqlValue, to: KqlValue): number {
  return typeof from === "bigint" && typeof to === "bigint"
    ? Number(to - from)
    : Number(to) - Number(from);
}
