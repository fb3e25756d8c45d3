import type { Search } from "./ast.ts";
import { Cursor } from "./cursor.ts";

const PHRASE = /"(?:[^"\\]|\\["\\])+"/y;
const WORD = /[^\s"()]+/y;

/** The whole text of a `$search`: words and phrases with AND, OR and NOT. */
export function parseSearch(text: string): Search {
  const cursor = new Cursor("$search", text);
  const search = parseAny(cursor);
  cursor.needEnd();
  return search;
}

function parseAny(cursor: Cursor): Search {
  return cursor.nested(() => {
    const operands = [parseAll(cursor)];
    while (cursor.takeWord("OR")) operands.push(parseAll(cursor));
    return combined("or", operands);
  });
}

/** Words one after the other must all be there, as with AND. */
function parseAll(cursor: Cursor): Search {
  const operands = [parseTerm(cursor)];
  while (cursor.takeWord("AND") || !isEnd(cursor)) operands.push(parseTerm(cursor));
  return combined("and", operands);
}

function isEnd(cursor: Cursor): boolean {
  cursor.skipBlanks();
  return (
    cursor.peek() === "" ||
    cursor.peek() === ")" ||
    /^OR(?!\w)/.test(cursor.text.slice(cursor.at, cursor.at + 3))
  );
}

function combined(kind: "and" | "or", operands: readonly Search[]): Search {
  const [first] = operands;
  return operands.length === 1 && first !== undefined ? first : { kind, operands };
}

function parseTerm(cursor: Cursor): Search {
  cursor.countCondition();
  if (cursor.takeWord("NOT")) {
    return { kind: "not", operand: cursor.nested(() => parseTerm(cursor)) };
  }
  if (cursor.take("(")) {
    const search = parseAny(cursor);
    cursor.need(")");
    return search;
  }
  const phrase = cursor.match(PHRASE);
  if (phrase !== undefined) {
    return { kind: "term", text: phrase.slice(1, -1).replaceAll(/\\(.)/g, "$1") };
  }
  const word = cursor.match(WORD);
  if (word === undefined || word === "AND" || word === "OR") cursor.fail("Expected a word");
  return { kind: "term", text: word };
}
