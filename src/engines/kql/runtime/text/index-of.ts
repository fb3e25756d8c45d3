import { charactersOf } from "./characters.ts";

/**
 * Position of an occurrence of a text within a range of another, from 0; -1 when it is not there.
 *
 * A negative start counts from the end, a negative length means up to the end.
 */
export function indexOf(
  ...[text, lookup, start, length, occurrence]: [
    string,
    string,
    bigint | null,
    bigint | null,
    bigint | null,
  ]
): bigint | null {
  if (occurrence !== null && occurrence < 1n) return null;
  const characters = charactersOf(text);
  const from = startOf(Number(start ?? 0n), characters.length);
  if (from === undefined) return null;
  const range = characters.slice(from, endOf(from, Number(length ?? -1n))).join("");
  let at = -1;
  for (let left = occurrence ?? 1n; left > 0n; left--) {
    at = range.indexOf(lookup, at + 1);
    if (at === -1) return -1n;
  }
  return BigInt(from + charactersOf(range.slice(0, at)).length);
}

function startOf(start: number, size: number): number | undefined {
  if (start < -size) return undefined;
  return start < 0 ? size + start : start;
}

function endOf(from: number, length: number): number | undefined {
  return length < 0 ? undefined : from + length;
}
