import { Problem } from "#platform/problem.ts";
import { invalidHeader } from "./header-values.ts";

/** A range as asked for; `last` is undefined where it is open. Both ends belong to it. */
export interface AskedRange {
  readonly first: number;
  readonly last: number | undefined;
}

const RANGE = /^bytes=(\d{1,15})-(\d{1,15})?$/;

/** The range of `bytes=first-last` or `bytes=first-`; undefined for any other text. */
export function parseRange(text: string): AskedRange | undefined {
  const [, first, last] = RANGE.exec(text.trim()) ?? [];
  if (first === undefined) return undefined;
  const range = { first: Number(first), last: last === undefined ? undefined : Number(last) };
  return range.last !== undefined && range.last < range.first ? undefined : range;
}

/** The same of a header of the protocol's own, where other text is refused with 400. */
export function requireRange(name: string, text: string): AskedRange {
  const range = parseRange(text);
  if (range !== undefined) return range;
  throw invalidHeader(name, text, 'which is no range such as "bytes=0-511" or "bytes=512-"');
}

/** The part of a blob that a range selects. Refuses one that begins behind the end with 416. */
export function spanOf(range: AskedRange | undefined, length: number) {
  if (range === undefined) return { begin: 0, end: length };
  if (range.first >= length) {
    throw new Problem(
      416,
      "InvalidRange",
      `The range begins at byte ${range.first}; the blob has ${length} bytes.`,
      { headers: { "content-range": `bytes */${length}` } },
    );
  }
  return { begin: range.first, end: Math.min((range.last ?? length - 1) + 1, length) };
}
