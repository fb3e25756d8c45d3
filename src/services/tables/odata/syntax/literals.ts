import type { Cursor } from "./cursor.ts";
import type { JsonNode, LiteralNode, LiteralType } from "./ast.ts";

/** Characters of a text; the patterns of engines are limited as well. */
const TEXT_MAX = 8000;

const TEXT = /'(?:[^']|'')*'/y;
const JSON_TEXT = /"(?:[^"\\]|\\.)*"/y;
const PLAIN_JSON = /[^'"[\]{}]+/y;
const KEYWORDS = ["null", "true", "false"] as const;

/** What is not quoted, in the order in which it has to be tried. */
const PATTERNS: readonly (readonly [LiteralType, RegExp])[] = [
  ["guid", /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?!\w)/iy],
  ["time", /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,12})?)?(?:Z|[+-]\d\d:\d\d)?(?!\w)/iy],
  ["date", /\d{4}-\d\d-\d\d(?!\w)/y],
  ["number", /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?!\w)/iy],
];

/** A literal, if there is one at this place. */
export function parseLiteral(cursor: Cursor): LiteralNode | undefined {
  const { at } = cursor;
  const code = cursor.text.charCodeAt(at);
  if (code === QUOTE) return parseText(cursor);
  for (const [type, pattern] of PATTERNS) {
    const value = cursor.match(pattern);
    if (value === undefined) continue;
    return { kind: "literal", type, value: type === "guid" ? value.toLowerCase() : value, at };
  }
  for (const word of KEYWORDS) {
    if (!cursor.takeWord(word)) continue;
    return { kind: "literal", type: word === "null" ? "null" : "boolean", value: word, at };
  }
  return undefined;
}

const QUOTE = 39;

function parseText(cursor: Cursor): LiteralNode {
  const { at } = cursor;
  const found = cursor.match(TEXT);
  if (found === undefined) cursor.fail("Unterminated text");
  const value = found.slice(1, -1).replaceAll("''", "'");
  if (value.length > TEXT_MAX) {
    cursor.fail(`The text has ${value.length} characters, at most ${TEXT_MAX} are allowed,`, at);
  }
  if (value.includes("\0") || !value.isWellFormed()) {
    cursor.fail("The text has a character that no value can hold", at);
  }
  return { kind: "literal", type: "text", value, at };
}

/** An array or an object; its texts may be between single quotes as well. */
export function parseJson(cursor: Cursor): JsonNode {
  const { at } = cursor;
  let text = "";
  let depth = 0;
  do {
    const piece = parsePiece(cursor);
    if (piece === "[" || piece === "{") depth += 1;
    if (piece === "]" || piece === "}") depth -= 1;
    text += piece;
  } while (depth > 0);
  try {
    return { kind: "json", value: JSON.parse(text), at };
  } catch {
    return cursor.fail("Malformed JSON", at);
  }
}

function parsePiece(cursor: Cursor): string {
  const next = cursor.peek();
  if (next === "") cursor.fail("Unterminated JSON");
  if (next === "'") return JSON.stringify(parseText(cursor).value);
  if (next === '"') return cursor.match(JSON_TEXT) ?? cursor.fail("Unterminated text");
  const plain = cursor.match(PLAIN_JSON);
  if (plain !== undefined) return plain;
  cursor.at += 1;
  return next;
}
