import { isPlain } from "../characters.ts";
import { runProgram } from "./machine.ts";
import { nativePattern } from "./native.ts";
import { parsePattern } from "./parse-pattern.ts";
import { compileProgram, type Program } from "./program.ts";

/** How many compiled expressions are kept. */
const CACHE_MAX = 256;

export interface RegexMatch {
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
  /** Text by group, `""` where a group took no part; group 0 is the whole match. */
  readonly groups: readonly string[];
}

export interface Regex {
  /** Names of the groups by their index; group 0 is the whole match. */
  readonly groups: readonly (string | undefined)[];
  /** The leftmost match at or after an offset. */
  readonly match: (text: string, from?: number) => RegexMatch | null;
  /** All matches from left to right that do not overlap. */
  readonly matches: (text: string) => Generator<RegexMatch>;
}

const compiled = new Map<string, Regex>();

/**
 * Compiles a regular expression of the query language: Unicode classes, no look-around, no
 * references back. Matching takes time in proportion to the text, whatever the expression.
 * Throws a `KqlError` when the expression is not valid.
 */
export function compileRegex(source: string): Regex {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const regex = newRegex(source);
  if (compiled.size >= CACHE_MAX) compiled.clear();
  compiled.set(source, regex);
  return regex;
}

function newRegex(source: string): Regex {
  const pattern = parsePattern(source);
  const native = nativePattern(pattern);
  let program: Program | undefined;
  let [lastText, isLastNative] = ["", native !== null];

  /** Asked again for each match in a text, so the answer for the last text is kept. */
  function isNative(text: string): boolean {
    if (text !== lastText) {
      // Assertions of JavaScript's matcher err between the halves of a surrogate pair.
      isLastNative = native !== null && text.length <= native.lengthMax && isPlain(text);
      lastText = text;
    }
    return isLastNative;
  }

  function match(text: string, from = 0): RegexMatch | null {
    if (native !== null && isNative(text)) {
      return matchNative(native.expression, text, from);
    }
    program ??= compileProgram(pattern);
    return matchProgram(program, text, from, pattern.groups.length);
  }

  function* matches(text: string): Generator<RegexMatch> {
    let last = -1;
    for (let at = 0; at <= text.length;) {
      const found = match(text, at);
      if (found === null) return;
      const isEmpty = found.start === found.end;
      // An empty match right behind another match is none.
      if (!isEmpty || found.end !== last) yield found;
      last = found.end;
      at = isEmpty ? found.end + ((text.codePointAt(found.end) ?? 0) > 0xffff ? 2 : 1) : found.end;
    }
  }

  return { groups: pattern.groups, match, matches };
}

function matchNative(expression: RegExp, text: string, from: number): RegexMatch | null {
  expression.lastIndex = from;
  const found = expression.exec(text);
  if (found === null) return null;
  const groups = Array.from(found, (group: string | undefined) => group ?? "");
  return { start: found.index, end: found.index + found[0].length, groups };
}

function matchProgram(
  ...[program, text, from, groupCount]: [Program, string, number, number]
): RegexMatch | null {
  const positions = runProgram(program, text, from);
  if (positions === null) return null;
  const groups = Array.from({ length: groupCount }, (_, index) => {
    const [start = -1, end = -1] = positions.slice(index * 2, index * 2 + 2);
    return start < 0 || end < 0 ? "" : text.slice(start, end);
  });
  return { start: positions[0] ?? 0, end: positions[1] ?? 0, groups };
}
