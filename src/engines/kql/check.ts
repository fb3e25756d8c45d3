import { KqlError } from "./kql-error.ts";
import type { BoundText, Diagnostic } from "./language/bind.ts";

/** Complaints of the binder about what the service accepts. */
const TOLERATED = new Set(["KS107", "KS234"]);
/** Codes of the parser; all others are of the binder. */
const SYNTAX_CODES = /^KS(?:00\d|01\d|19[0-9])$/;
/** The text of a query in bytes is bounded before it is parsed. */
const QUERY_LENGTH_MAX = 2_000_000;

/** What parses in a fraction of a second; beyond it, nothing else would get a turn meanwhile. */
const DEPTH_MAX = 500;
const ITEMS_MAX = 40_000;

/** Refuses a text that would take long to parse, before it is parsed. */
export function requireBounded(text: string): void {
  if (text.length > QUERY_LENGTH_MAX) refuse("characters", QUERY_LENGTH_MAX, text.length);
  const items = text.split(",").length;
  if (items > ITEMS_MAX) refuse("items in lists", ITEMS_MAX, items);
  let depth = 0;
  for (const [sign] of text.matchAll(/[()[\]{}]/g)) {
    depth = "([{".includes(sign) ? depth + 1 : Math.max(0, depth - 1);
    if (depth > DEPTH_MAX) refuse("levels of brackets", DEPTH_MAX, depth);
  }
}

function refuse(what: string, most: number, seen: number): never {
  throw new KqlError("syntax", `A query may have ${most} ${what}; this one has ${seen}.`);
}

/** Refuses a text that does not parse or bind, with the position of the first fault. */
export function requireValid(bound: BoundText, text: string): void {
  const faults = bound.diagnostics.filter((one) => !TOLERATED.has(one.code) && !isOutdated(one));
  const [first] = faults.toSorted((a, b) => a.start - b.start);
  if (first !== undefined) throw faultError(first, text);
  if (!bound.hasSemantics) {
    throw new KqlError("semantic", "The query is nested too deeply to be analyzed.", {
      code: "SEM0001",
    });
  }
}

/** The binder knows fewer parameters of this plugin than the service. */
function isOutdated({ code, message }: Diagnostic): boolean {
  return code === "KS119" && message.includes("'bag_unpack'");
}

function faultError(fault: Diagnostic, text: string): KqlError {
  const { code, message, start, length } = fault;
  const { line, column } = lineAndColumn(text, start);
  const kind = SYNTAX_CODES.test(code) ? "syntax" : "semantic";
  return new KqlError(kind, `${message} [line:position=${String(line)}:${String(column)}]`, {
    code: kind === "syntax" ? "SYN0002" : "SEM0100",
    position: { start, length },
  });
}

function lineAndColumn(text: string, start: number): { line: number; column: number } {
  const lines = text.slice(0, start).split("\n");
  return { line: lines.length, column: lines.at(-1)?.length ?? 0 };
}
