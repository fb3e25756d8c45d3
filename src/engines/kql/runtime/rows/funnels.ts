import type { KqlValue } from "../../types.ts";
import { binsOf, isBefore, type Timeline } from "./timelines.ts";

type Row = readonly KqlValue[];

export interface StateEvent {
  readonly id: string;
  readonly at: KqlValue;
  /** Place of the state in the sequence. */
  readonly place: number;
}

/**
 * Per bin, how many ids get how far: each place of the sequence, and the ids that come from a first
 * state in the bin to it within the period.
 */
export function funnel(
  events: readonly StateEvent[],
  timeline: Omit<Timeline, "events" | "lookback">,
  { length, period }: { readonly length: number; readonly period: KqlValue },
): Row[] {
  const within = events.filter(({ at }) => {
    return at !== null && !isBefore(at, timeline.start) && !isBefore(timeline.end, at);
  });
  const sorted = within.toSorted(
    (a, b) => Number(isBefore(b.at, a.at)) - Number(isBefore(a.at, b.at)),
  );
  const progress = [...Map.groupBy(sorted, ({ id }) => id).values()].flatMap((mine) =>
    progressOf(mine, period),
  );
  const counts = Array.from({ length }, (_one, place) => {
    const there = progress.filter(({ reached }) => reached > place);
    return binsOf({ ...timeline, lookback: null, events: there });
  });
  return (counts[0] ?? []).flatMap(({ at, ids }, bin): Row[] => {
    if (ids.length === 0) return [];
    return counts.map((bins, place): Row => {
      return [at, BigInt(place), BigInt(new Set(bins[bin]?.ids).size)];
    });
  });
}

/** The first states of one id, and how many states follow from there within the period. */
function progressOf(events: readonly StateEvent[], period: KqlValue) {
  return events.flatMap(({ id, at, place }, index) => {
    if (place !== 0) return [];
    let reached = 1;
    for (const next of events.slice(index + 1)) {
      if (Number(next.at) - Number(at) > Number(period)) break;
      if (next.place === reached) reached++;
    }
    return [{ id, at, reached }];
  });
}
