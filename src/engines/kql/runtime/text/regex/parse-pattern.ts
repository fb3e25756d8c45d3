import { readClass } from "./character-class.ts";
import { literal, readEscape } from "./escapes.ts";
import { type Assertion, type Flags, NO_FLAGS, type Pattern, type PatternNode } from "./pattern.ts";
import { Scanner } from "./scanner.ts";

/** Longest pattern, and how deep its groups may be nested. */
const PATTERN_MAX_CHARACTERS = 10_000;
const NESTING_MAX = 200;
const REPEAT_MAX = 1000;

const SPACE_OR_COMMENT = /(?:\s+|#[^\n]*)+/y;
const BOUNDS = /\{(\d+)(,?)(\d*)\}/y;
const GROUP_NAME = /\?P?<([\p{Alphabetic}_][\p{Alphabetic}\p{N}_.[\]]*)>/uy;
const GROUP_FLAGS = /\?([imsRUux]*)(?:-([imsRUux]+))?([:)])/y;
const ESCAPED_ASSERTION = /\\(A|z|b\{start(?:-half)?\}|b\{end(?:-half)?\}|b|B|<|>)/y;
const ASSERTIONS: Readonly<Record<string, Assertion>> = {
  A: "textStart",
  z: "textEnd",
  b: "word",
  B: "notWord",
  "<": "wordStart",
  ">": "wordEnd",
  "b{start}": "wordStart",
  "b{end}": "wordEnd",
};

interface State {
  readonly scanner: Scanner;
  readonly groups: (string | undefined)[];
  depth: number;
  flags: Flags;
}

/** Reads a regular expression; throws a `KqlError` that names the fault. */
export function parsePattern(text: string): Pattern {
  const scanner = new Scanner(text);
  if (text.length > PATTERN_MAX_CHARACTERS) {
    throw scanner.refuse(`it has more than ${PATTERN_MAX_CHARACTERS} characters`);
  }
  const state: State = { scanner, groups: [undefined], depth: 0, flags: NO_FLAGS };
  const root = readChoice(state);
  if (!scanner.isAtEnd) throw scanner.refuse("a group is closed that is not open");
  return { root, groups: state.groups };
}

function readChoice(state: State): PatternNode {
  const nodes = [readSequence(state)];
  while (state.scanner.takeIf("|")) nodes.push(readSequence(state));
  return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : { kind: "choice", nodes };
}

function readSequence(state: State): PatternNode {
  const { scanner } = state;
  const nodes: PatternNode[] = [];
  for (;;) {
    if (state.flags.verbose) scanner.takeMatch(SPACE_OR_COMMENT);
    if (scanner.isAtEnd || scanner.peek() === "|" || scanner.peek() === ")") break;
    const atom = readAtom(state);
    if (atom !== null) nodes.push(readRepeat(state, atom));
  }
  return { kind: "sequence", nodes };
}

/** Null for flags that hold from here on: `(?i)`. */
function readAtom(state: State): PatternNode | null {
  const { scanner, flags } = state;
  const assertion = scanner.takeMatch(ESCAPED_ASSERTION)?.[1];
  if (assertion !== undefined) {
    const known = ASSERTIONS[assertion];
    if (known === undefined) throw scanner.refuse(`'\\${assertion}' is not supported`);
    return { kind: "assert", assertion: known };
  }
  if (scanner.takeIf("(")) return readGroup(state);
  if (scanner.takeIf("^")) return assert(flags.multiLine ? "lineStart" : "textStart");
  if (scanner.takeIf("$")) return assert(flags.multiLine ? "lineEnd" : "textEnd");
  return { kind: "one", source: readOne(state), ignoreCase: flags.ignoreCase };
}

function assert(assertion: Assertion): PatternNode {
  return { kind: "assert", assertion };
}

function readOne({ scanner, flags }: State): string {
  if (scanner.takeIf(".")) return flags.dotAll ? "[^]" : "[^\\n]";
  if (scanner.takeIf("[")) return readClass(scanner, flags.verbose);
  if (scanner.takeIf("\\")) return readEscape(scanner);
  const next = scanner.take();
  if ("*+?".includes(next)) throw scanner.refuse("there is nothing to repeat");
  return literal(next.codePointAt(0) ?? 0);
}

function readGroup(state: State): PatternNode | null {
  const { scanner, flags } = state;
  state.depth += 1;
  if (state.depth > NESTING_MAX) throw scanner.refuse(`groups nest deeper than ${NESTING_MAX}`);

  const named = scanner.takeMatch(GROUP_NAME)?.[1];
  const index = named !== undefined || scanner.peek() !== "?" ? state.groups.push(named) - 1 : null;
  if (index === null && readFlags(state) === ")") {
    state.depth -= 1;
    return null;
  }
  const node = readChoice(state);
  if (!scanner.takeIf(")")) throw scanner.refuse("a group is not closed");
  state.flags = flags;
  state.depth -= 1;
  return index === null ? node : { kind: "group", node, index };
}

/** Sets flags; answers with what ends them: `:` for those of a group, `)` for all that follows. */
function readFlags(state: State): string {
  const match = state.scanner.takeMatch(GROUP_FLAGS);
  if (match === null) throw state.scanner.refuse("look-around and such groups are not supported");
  const [, on = "", off = "", end = ""] = match;
  state.flags = withFlags(withFlags(state.flags, on, true), off, false);
  return end;
}

function withFlags(flags: Flags, letters: string, value: boolean): Flags {
  return {
    ignoreCase: letters.includes("i") ? value : flags.ignoreCase,
    multiLine: letters.includes("m") ? value : flags.multiLine,
    dotAll: letters.includes("s") ? value : flags.dotAll,
    swapGreed: letters.includes("U") ? value : flags.swapGreed,
    verbose: letters.includes("x") ? value : flags.verbose,
  };
}

function readRepeat(state: State, atom: PatternNode): PatternNode {
  let node = atom;
  for (;;) {
    if (state.flags.verbose) state.scanner.takeMatch(SPACE_OR_COMMENT);
    const bounds = readBounds(state.scanner);
    if (bounds === null) return node;
    const isGreedy = state.scanner.takeIf("?") === state.flags.swapGreed;
    node = { kind: "repeat", node, ...bounds, isGreedy };
  }
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

function readBounds(scanner: Scanner): Bounds | null {
  if (scanner.takeIf("*")) return { min: 0, max: Number.POSITIVE_INFINITY };
  if (scanner.takeIf("+")) return { min: 1, max: Number.POSITIVE_INFINITY };
  if (scanner.takeIf("?")) return { min: 0, max: 1 };
  const match = scanner.takeMatch(BOUNDS);
  return match === null ? null : boundsOf(scanner, match);
}

function boundsOf(scanner: Scanner, match: RegExpExecArray): Bounds {
  const [, low = "", comma, high] = match;
  const min = Number(low);
  const max = comma === "" ? min : Number(high === "" ? Number.POSITIVE_INFINITY : high);
  if (min > max || min > REPEAT_MAX || (max > REPEAT_MAX && max !== Number.POSITIVE_INFINITY)) {
    throw scanner.refuse(`a repetition is out of order or above ${REPEAT_MAX}`);
  }
  return { min, max };
}
