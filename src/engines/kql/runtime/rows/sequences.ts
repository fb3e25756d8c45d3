import { KqlError } from "../../kql-error.ts";
import type { KqlValue } from "../../types.ts";

type Row = readonly KqlValue[];

/** Sequences that one plugin may find. */
const SEQUENCES_MAX = 1_000_000;

/** Greatest distances: between two steps, and from the first to the last. */
export interface Spans {
  readonly between: KqlValue;
  readonly span: KqlValue;
}

/**
 * All ways in which the steps follow each other in time: their moments, then how long they take.
 * Rows are the moment, then for each step whether the row is one.
 */
export function detectSequences(rows: readonly Row[], count: number, spans: Spans): Row[] {
  const steps = Array.from({ length: count }, (_step, index) => {
    const moments = rows.filter((row) => row[index + 1] === true).map(([at = null]) => at);
    return [...new Set(moments)].filter((at) => at !== null).toSorted(compare);
  });
  const found: Row[] = [];
  const follow = (moments: readonly KqlValue[]): void => {
    const candidates = steps[moments.length];
    if (candidates === undefined) {
      found.push([...moments, lasting(moments)]);
      if (found.length > SEQUENCES_MAX) {
        throw new KqlError("limit", `A plugin finds at most ${SEQUENCES_MAX} sequences.`);
      }
      return;
    }
    for (const at of candidates.filter((one) => isNext(moments, one, spans))) {
      follow([...moments, at]);
    }
  };
  follow([]);
  return found;
}

function isNext(moments: readonly KqlValue[], at: KqlValue, { between, span }: Spans): boolean {
  const [first = null, before = null] = [moments[0], moments.at(-1)];
  if (first === null || before === null) return true;
  if (compare(before, at) >= 0 || gap(before, at) > Number(between)) return false;
  return gap(first, at) <= Number(span);
}

function lasting(moments: readonly KqlValue[]): KqlValue {
  const [first = null, last = null] = [moments[0], moments.at(-1)];
  if (typeof first === "bigint" && typeof last === "bigint") return last - first;
  return Number(last) - Number(first);
}

function gap(from: KqlValue, to: KqlValue): number {
  return Number(lasting([from, to]));
}

function compare(a: KqlValue, b: KqlValue): number {
  if (a === null || b === null || a === b) return 0;
  return a < b ? -1 : 1;
}
