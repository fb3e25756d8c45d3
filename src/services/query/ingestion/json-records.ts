import { isArray, parseJson } from "#engines/duckdb/json-text.ts";
import type { Json } from "#engines/kql/types.ts";
import type { BadRecord } from "./ingestion-error.ts";
import type { JsonRecord } from "./row-reader.ts";

export interface JsonParser {
  /** Takes the next part of the text; the last one completes what is left. */
  readonly push: (
    text: string,
    isLast: boolean,
  ) => { readonly records: readonly JsonRecord[]; readonly bad: readonly BadRecord[] };
}

const POSITION = /position (\d+)/u;

interface Collected {
  readonly records: JsonRecord[];
  readonly bad: BadRecord[];
}

/** One object per line. */
export function createJsonLinesParser(): JsonParser {
  let row = 0;
  let rest = "";
  return {
    push(text, isLast) {
      const collected: Collected = { records: [], bad: [] };
      const lines = (rest + text).split("\n");
      rest = isLast ? "" : (lines.pop() ?? "");
      for (const line of lines) {
        if (line.trim() === "") continue;
        row += 1;
        collect(collected, row, line);
      }
      return collected;
    },
  };
}

/** Objects behind each other, with or without commas, in arrays or not, on any lines. */
export function createJsonValuesParser(): JsonParser {
  let row = 0;
  let rest = "";
  let scan: Scan = { at: 0, depth: 0, start: -1, gap: 0 };
  return {
    push(text, isLast) {
      const collected: Collected = { records: [], bad: [] };
      rest += text;
      for (;;) {
        scan = nextObject(rest, scan);
        if (scan.depth > 0 || scan.start === -1) break;
        row += 1;
        checkGap(collected, row, rest.slice(scan.gap, scan.start));
        collect(collected, row, rest.slice(scan.start, scan.at));
        scan = { at: scan.at, depth: 0, start: -1, gap: scan.at };
      }
      if (isLast) checkEnd(collected, row + 1, { text: rest, scan });
      // What has been read is dropped once per part, not once per record.
      const { gap, at, start } = scan;
      rest = rest.slice(gap);
      scan = { ...scan, gap: 0, at: at - gap, start: start === -1 ? -1 : start - gap };
      return collected;
    },
  };
}

interface Scan {
  /** Everything before has been looked at. */
  readonly at: number;
  readonly depth: number;
  /** Where the object begins; -1 between objects. */
  readonly start: number;
  /** Where the object before ended. */
  readonly gap: number;
}

const TOKEN = /[{}"]/gu;
const SEPARATORS = /^\uFEFF?[\s,[\]]*$/u;

/** Goes on to the end of the next object, or of the text. */
function nextObject(text: string, { at: from, depth: open, start: begin, gap }: Scan): Scan {
  let [at, depth, start] = [from, open, begin];
  TOKEN.lastIndex = at;
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    if (token[0] === '"') {
      const end = endOfString(text, token.index);
      // An open string is looked at again when more has come.
      if (end === -1) return { at: token.index, depth, start, gap };
      TOKEN.lastIndex = end;
    } else if (token[0] === "{") {
      if (depth === 0) start = token.index;
      depth += 1;
    } else if (depth > 0) {
      depth -= 1;
    }
    at = TOKEN.lastIndex;
    if (depth === 0 && start !== -1) return { at, depth, start, gap };
  }
  return { at: text.length, depth, start, gap };
}

/** Behind the closing quote; -1 when there is none. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); ; quote = text.indexOf('"', quote + 1)) {
    if (quote === -1) return -1;
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
}

function checkGap({ bad }: Collected, row: number, text: string): void {
  if (SEPARATORS.test(text)) return;
  bad.push({ row, column: 1, message: "there is something else than JSON objects" });
}

function checkEnd(
  collected: Collected,
  row: number,
  { text, scan }: { readonly text: string; readonly scan: Scan },
): void {
  if (scan.start === -1) {
    checkGap(collected, row, text.slice(scan.gap));
    return;
  }
  const message = "the text ends inside of an object";
  collected.bad.push({ row, column: text.length - scan.start + 1, message });
}

function collect({ records, bad }: Collected, row: number, text: string): void {
  try {
    const value = parseJson(text);
    if (isRecord(value)) records.push({ row, value });
    else bad.push({ row, column: 1, message: "the record is not a JSON object" });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const position = Number(POSITION.exec(message)?.[1] ?? 0);
    bad.push({ row, column: position + 1, message: `this is not JSON: ${message}` });
  }
}

function isRecord(value: Json): boolean {
  return typeof value === "object" && value !== null && !isArray(value);
}
