import type { BadRecord } from "./ingestion-error.ts";

/** A record of a text, its fields as written, without quotes. */
export interface TextRecord {
  /** From 1. */
  readonly row: number;
  readonly fields: readonly string[];
}

export interface Delimited {
  readonly delimiter: string;
  /** Backslashes instead of quotes: `\t`, `\n`, `\r`, `\\`. */
  readonly hasEscapes: boolean;
}

export interface Parsed {
  readonly records: readonly TextRecord[];
  readonly bad: readonly BadRecord[];
}

export interface RecordParser {
  /** Takes the next part of the text; the last one completes what is left. */
  readonly push: (text: string, isLast: boolean) => Parsed;
}

const QUOTE = '"';
const ESCAPES: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", "\\": "\\" };

/** Splits a text that comes in parts into records and fields (RFC 4180). Skips empty lines. */
export function createDelimitedParser(format: Delimited): RecordParser {
  let row = 0;
  let rest = "";
  /** A record without an end is looked at again only when twice as much is there. */
  let wanted = 0;
  return {
    push(text, isLast) {
      rest += text;
      if (rest.length < wanted && !isLast) return { records: [], bad: [] };
      const records: TextRecord[] = [];
      const bad: BadRecord[] = [];
      let at = 0;
      while (at < rest.length) {
        const read = readRecord(rest, at, format);
        if (read.isOpen && !isLast) break;
        at = read.end;
        if (read.fields.length === 1 && read.fields[0] === "" && !read.isQuoted) continue;
        row += 1;
        if (read.error === undefined) records.push({ row, fields: read.fields });
        else bad.push({ row, column: read.fields.length, message: read.error });
      }
      rest = rest.slice(at);
      wanted = rest.length * 2;
      return { records, bad };
    },
  };
}

interface ReadRecord {
  readonly fields: string[];
  end: number;
  /** The text ends where the record might go on. */
  isOpen: boolean;
  isQuoted: boolean;
  error: string | undefined;
}

function readRecord(text: string, start: number, format: Delimited): ReadRecord {
  const read: ReadRecord = {
    fields: [],
    end: start,
    isOpen: false,
    isQuoted: false,
    error: undefined,
  };
  const lineEnd = endOfLine(text, start);
  const line = text.slice(start, lineEnd === -1 ? undefined : lineEnd);
  if (format.hasEscapes || !line.includes(QUOTE)) {
    finishLine(text, lineEnd, read);
    const fields = withoutReturn(line).split(format.delimiter);
    read.fields.push(...(format.hasEscapes ? fields.map(unescape) : fields));
    return read;
  }
  readQuoted(text, start, { format, read });
  return read;
}

function finishLine(text: string, lineEnd: number, read: ReadRecord): void {
  read.isOpen = lineEnd === -1;
  read.end = lineEnd === -1 ? text.length : lineEnd + 1;
}

function endOfLine(text: string, start: number): number {
  return text.indexOf("\n", start);
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function unescape(field: string): string {
  if (!field.includes("\\")) return field;
  return field.replace(/\\(.)/gsu, (_all, char: string) => ESCAPES[char] ?? char);
}

/** The slow way, field by field. */
function readQuoted(
  text: string,
  start: number,
  { format, read }: { readonly format: Delimited; readonly read: ReadRecord },
): void {
  let at = start;
  for (;;) {
    const after = text[at] === QUOTE ? quotedField(text, at, read) : plainField(text, at, format);
    if (after === undefined) {
      read.isOpen = true;
      read.fields.push("");
      failLine(text, at, read, "a quoted field is not closed");
      return;
    }
    read.fields.push(after.value);
    if (text[after.end] === format.delimiter) {
      at = after.end + 1;
      continue;
    }
    const lineEnd = lineEndAt(text, after.end);
    if (lineEnd !== undefined) {
      finishLine(text, lineEnd, read);
      return;
    }
    failLine(text, after.end, read, "there is text behind a quoted field");
    return;
  }
}

/** Where a line ends when nothing but its end is at `at`; -1 at the end of the text. */
function lineEndAt(text: string, at: number): number | undefined {
  if (at >= text.length) return -1;
  if (text[at] === "\n") return at;
  if (text[at] !== "\r") return undefined;
  if (at + 1 >= text.length) return -1;
  return text[at + 1] === "\n" ? at + 1 : undefined;
}

interface Field {
  readonly value: string;
  /** Behind the field. */
  readonly end: number;
}

function plainField(text: string, start: number, { delimiter }: Delimited): Field {
  const lineEnd = endOfLine(text, start);
  const line = withoutReturn(text.slice(start, lineEnd === -1 ? undefined : lineEnd));
  const length = line.indexOf(delimiter);
  const value = length === -1 ? line : line.slice(0, length);
  return { value, end: start + value.length };
}

/** Undefined when the quotes are not closed. */
function quotedField(text: string, start: number, read: ReadRecord): Field | undefined {
  read.isQuoted = true;
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf(QUOTE, at);
    if (quote === -1) return undefined;
    if (text[quote + 1] !== QUOTE) {
      const inside = text.slice(start + 1, quote);
      return { value: inside.replaceAll('""', QUOTE), end: quote + 1 };
    }
    at = quote + 2;
  }
}

/** Goes on behind the line in which the record went wrong. */
function failLine(text: string, at: number, read: ReadRecord, message: string): void {
  const lineEnd = endOfLine(text, at);
  read.error = message;
  read.isOpen ||= lineEnd === -1;
  read.end = lineEnd === -1 ? text.length : lineEnd + 1;
}
