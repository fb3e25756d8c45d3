import { literal, readEscape } from "./escapes.ts";
import type { Scanner } from "./scanner.ts";

const ASCII_CLASSES: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: "\\x00-\\x7f",
  blank: "\\t ",
  cntrl: "\\x00-\\x1f\\x7f",
  digit: "0-9",
  graph: "\\x21-\\x7e",
  lower: "a-z",
  print: "\\x20-\\x7e",
  punct: "\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e",
  space: "\\t\\n\\v\\f\\r ",
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};
const ASCII_CLASS = /\[:(\^?)([a-z]+):\]/y;
const OPERATOR = /&&|--|~~/y;
const SPACE = /\s/;

/** Reads a class after its opening bracket, and writes it for JavaScript's `v` mode. */
export function readClass(scanner: Scanner, isVerbose: boolean): string {
  const sign = scanner.takeIf("^") ? "^" : "";
  let set = readUnion(scanner, isVerbose, true);
  for (;;) {
    const operator = scanner.takeMatch(OPERATOR)?.[0];
    if (operator === undefined) break;
    set = combine(set, operator, readUnion(scanner, isVerbose, false));
  }
  if (!scanner.takeIf("]")) throw scanner.refuse("a class is not closed");
  return `[${sign}${set}]`;
}

function combine(left: string, operator: string, right: string): string {
  if (operator === "~~") return `[[${left}--${right}][${right}--${left}]]`;
  return `[${left}${operator}${right}]`;
}

/** One operand of a set operator: all that stands up to the operator or the closing bracket. */
function readUnion(scanner: Scanner, isVerbose: boolean, isFirst: boolean): string {
  let items = isFirst && scanner.takeIf("]") ? literal(0x5d) : "";
  while (scanner.peek() !== "]" && !isOperatorNext(scanner)) {
    if (isVerbose && SPACE.test(scanner.peek())) scanner.take();
    else items += readItem(scanner, isVerbose);
  }
  return `[${items}]`;
}

function isOperatorNext(scanner: Scanner): boolean {
  return OPERATOR_AHEAD.some((expression) => scanner.takeMatch(expression) !== null);
}
const OPERATOR_AHEAD = [/(?=&&|~~|--[^\]])/y];

function readItem(scanner: Scanner, isVerbose: boolean): string {
  const named = scanner.takeMatch(ASCII_CLASS);
  if (named !== null) {
    const members = ASCII_CLASSES[named[2] ?? ""];
    if (members === undefined) throw scanner.refuse(`the class '${named[0]}' is not known`);
    return `[${named[1]}${members}]`;
  }
  if (scanner.takeIf("[")) return readClass(scanner, isVerbose);

  const first = readMember(scanner);
  if (!scanner.takeMatch(RANGE_DASH)) return first;
  const last = readMember(scanner);
  if (!isLiteral(first) || !isLiteral(last) || codePointOf(first) > codePointOf(last)) {
    throw scanner.refuse("a range in a class is out of order");
  }
  return `${first}-${last}`;
}
/** A dash that is followed by the end of a range, not by another dash or the closing bracket. */
const RANGE_DASH = /-(?![\]-])/y;

function readMember(scanner: Scanner): string {
  if (scanner.takeIf("\\")) return readEscape(scanner);
  return literal(scanner.take().codePointAt(0) ?? 0);
}

function isLiteral(member: string): boolean {
  return member.startsWith("\\u{");
}

function codePointOf(member: string): number {
  return Number.parseInt(member.slice("\\u{".length, -1), 16);
}
