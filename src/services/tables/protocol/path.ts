import { badQuery } from "./refusals.ts";

/** One part of a path: `name` or `name(args)`, decoded. */
export interface Segment {
  readonly name: string;
  /** What is between the parentheses; undefined when there are none. */
  readonly args: string | undefined;
}

const QUOTES = ["'", "%27"];

/** The parts of a path, encoded as it was sent. A slash between quotes is part of a value. */
export function parsePath(path: string): readonly Segment[] {
  const parts: string[] = [];
  let part = "";
  let isQuoted = false;
  for (let at = 0; at < path.length; at += 1) {
    const quote = QUOTES.find((one) => path.startsWith(one, at));
    if (quote !== undefined) {
      isQuoted = !isQuoted;
      part += quote;
      at += quote.length - 1;
    } else if (path[at] === "/" && !isQuoted) {
      parts.push(part);
      part = "";
    } else part += path[at] ?? "";
  }
  parts.push(part);
  return parts.filter((one) => one !== "").map(segmentOf);
}

function segmentOf(encoded: string): Segment {
  const text = decoded(encoded);
  const at = text.indexOf("(");
  if (at < 0) return { name: text, args: undefined };
  if (!text.endsWith(")")) throw badQuery(`The path part ${text} has no closing parenthesis.`);
  return { name: text.slice(0, at), args: text.slice(at + 1, -1).trim() };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badQuery(`The path part ${text.slice(0, 80)} is not percent-encoded UTF-8.`);
  }
}

/**
 * `a='x',b=2` as names and literals: texts are unquoted, whatever else stays as written. Used for
 * alternate keys and for the parameters of functions.
 */
export function parseNamed(args: string): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  const pattern = /\s*([A-Za-z_]\w*)\s*=\s*('(?:[^']|'')*'|[^,']+)\s*(?:,|$)/y;
  while (pattern.lastIndex < args.length) {
    const at = pattern.lastIndex;
    const [, name, value] = pattern.exec(args) ?? [];
    if (name === undefined || value === undefined) {
      throw badQuery(`Expected name=value at position ${at} of (${args}).`);
    }
    if (named.has(name)) throw badQuery(`The name ${name} is given twice in (${args}).`);
    named.set(name, unquoted(value.trim()));
  }
  return named;
}

/** A text without its quotes; anything else as it is. */
export function unquoted(literal: string): string {
  if (!literal.startsWith("'") || !literal.endsWith("'") || literal.length < 2) return literal;
  return literal.slice(1, -1).replaceAll("''", "'");
}

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A GUID in lower case, with or without braces; undefined for anything else. */
export function guidOf(text: string): string | undefined {
  const bare = text.startsWith("{") && text.endsWith("}") ? text.slice(1, -1) : text;
  return GUID.test(bare) ? bare.toLowerCase() : undefined;
}
