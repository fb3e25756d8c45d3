import { KqlError } from "../../kql-error.ts";
import type { Json, KqlColumn, KqlValue } from "../../types.ts";
import { isBag } from "../dynamic/json.ts";
import { converted } from "../evaluate/convert.ts";
import { parseJson } from "../parsing/json-text.ts";

type Row = readonly KqlValue[];

/** Characters between the fields of a line, by the name of the format. */
const DELIMITERS: ReadonlyMap<string, string> = new Map([
  ["csv", ","],
  ["csve", ","],
  ["tsv", "\t"],
  ["tsve", "\t"],
  ["psv", "|"],
  ["scsv", ";"],
  ["sohsv", "\u0001"],
]);

export interface ExternalFormat {
  readonly name: string;
  readonly ignoresFirst: boolean;
}

/** Formats of text that `externalRows` reads. */
export function isTextFormat(name: string): boolean {
  return DELIMITERS.has(name) || ["txt", "raw", "json", "multijson", "singlejson"].includes(name);
}

/** The rows of a text; fields that do not fit their column are null. */
export function externalRows(
  text: string,
  columns: readonly KqlColumn[],
  { name, ignoresFirst }: ExternalFormat,
): Row[] {
  const delimiter = DELIMITERS.get(name);
  if (delimiter !== undefined) {
    const records = delimitedRecords(text, delimiter);
    return (ignoresFirst ? records.slice(1) : records).map((record) => fieldRow(record, columns));
  }
  if (name === "raw") return [fieldRow([text], columns)];
  const lines = text.split(/\r?\n/);
  if (name === "txt") {
    const kept = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
    return (ignoresFirst ? kept.slice(1) : kept).map((line) => fieldRow([line], columns));
  }
  return jsonRecords(text, lines).map((record) => memberRow(record, columns));
}

function fieldRow(fields: readonly string[], columns: readonly KqlColumn[]): Row {
  return columns.map(({ type }, index) => {
    const field = fields[index] ?? "";
    return type === "dynamic" ? (parseJson(field) ?? field) : converted(field, "string", type);
  });
}

function memberRow(record: Json, columns: readonly KqlColumn[]): Row {
  return columns.map(({ name, type }) => {
    const member = isBag(record) && Object.hasOwn(record, name) ? record[name] : undefined;
    return converted(member ?? null, "dynamic", type);
  });
}

/** Records one a line, or all of them as one text of JSON. */
function jsonRecords(text: string, lines: readonly string[]): readonly Json[] {
  const whole = parseJson(text);
  if (whole !== undefined) return Array.isArray(whole) ? whole : [whole];
  return lines.flatMap((line, index): Json[] => {
    if (line.trim() === "") return [];
    const record = parseJson(line);
    if (record !== undefined) return [record];
    throw new KqlError("runtime", `externaldata: line ${String(index + 1)} is not JSON.`);
  });
}

/** Fields may be in quotes, and then hold delimiters, line ends and doubled quotes. */
function delimitedRecords(text: string, delimiter: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  for (let at = 0; at < text.length;) {
    const { field, end } = text[at] === '"' ? quoted(text, at) : plain(text, at, delimiter);
    record.push(field);
    const isMore = text.startsWith(delimiter, end);
    at = isMore ? end + delimiter.length : lineEnd(text, end);
    // A delimiter at the very end has an empty field behind it.
    if (isMore && at >= text.length) record.push("");
    if (isMore && at < text.length) continue;
    if (record.length > 1 || record[0] !== "") records.push(record);
    record = [];
  }
  return records;
}

function quoted(text: string, start: number): { field: string; end: number } {
  let field = "";
  let at = start + 1;
  for (; at < text.length; at++) {
    if (text[at] !== '"') field += text[at] ?? "";
    else if (text[at + 1] === '"') field += text[at++] ?? "";
    else break;
  }
  return { field, end: at + 1 };
}

function plain(text: string, start: number, delimiter: string): { field: string; end: number } {
  let end = start;
  while (end < text.length && !text.startsWith(delimiter, end) && !/[\r\n]/.test(text[end] ?? "")) {
    end++;
  }
  return { field: text.slice(start, end), end };
}

function lineEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== "\n") at++;
  return at + 1;
}
