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
  const from = startOf(Number(start ?? 0n), charactersOf(text).length);
  if (from === undefined) return null;
  let at = from - 1;
  for (let left = occurrence ?? 1n; left > 0n; left--) {
    at = firstFrom(text, lookup, { from: at + 1, length: Number(length ?? -1n) });
    if (at === -1) return -1n;
  }
  return BigInt(at);
}

function startOf(start: number, size: number): number | undefined {
  if (start < -size) return undefined;
  return start < 0 ? size + start : start;
}

/** The range goes along with the search: it begins anew after each occurrence. */
function firstFrom(
  text: string,
  lookup: string,
  { from, length }: { from: number; length: number },
): number {
  const end = length < 0 ? undefined : from + length;
  const range = charactersOf(text).slice(from, end).join("");
  const at = range.indexOf(lookup);
  return at === -1 ? -1 : from + charactersOf(range.slice(0, at)).length;
}
