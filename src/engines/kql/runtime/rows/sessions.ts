import type { KqlValue } from "../../types.ts";

type Row = readonly KqlValue[];

/**
 * For each row the value that its session started with. Rows are: value, the greatest distance
 * from the start, the greatest distance from the row before, and whether a session starts anyway.
 */
export function sessionStarts(rows: readonly Row[]): KqlValue[] {
  let start: KqlValue = null;
  let before: KqlValue = null;
  return rows.map(([at = null, fromStart = null, fromBefore = null, restart]) => {
    if (at === null) return null;
    const goesOn = isWithin(start, at, fromStart) && isWithin(before, at, fromBefore);
    if (restart === true || !goesOn) start = at;
    before = at;
    return start;
  });
}

function isWithin(from: KqlValue, to: KqlValue, distance: KqlValue): boolean {
  if (from === null) return false;
  if (typeof from === "bigint" && typeof to === "bigint" && typeof distance === "bigint") {
    return to - from <= distance;
  }
  return Number(to) - Number(from) <= Number(distance);
}
