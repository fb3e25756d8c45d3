import type { KqlValue } from "#engines/kql/types.ts";
import { avroRecords } from "./avro-records.ts";
import { createDelimitedParser, type TextRecord } from "./delimited-text.ts";
import type { Format, Layout } from "./formats.ts";
import { malformed, type BadRecord } from "./ingestion-error.ts";
import { createJsonLinesParser, createJsonValuesParser } from "./json-records.ts";
import { jsonReader, textReader, type JsonRecord, type ReaderOptions } from "./row-reader.ts";

/** Rows that are handed on at once. */
const ROWS_AT_ONCE = 2048;

export interface RowOptions extends ReaderOptions {
  readonly format: Format;
  readonly ignoreFirstRecord: boolean;
  /** What to do about each record that cannot be read: the request fails, or goes on without. */
  readonly badRows: "fail" | "skip";
}

export interface RowBatch {
  readonly rows: readonly (readonly KqlValue[])[];
  /** Records left out. */
  readonly skipped: number;
}

interface Parser<R> {
  readonly push: (
    text: string,
    isLast: boolean,
  ) => { readonly records: readonly R[]; readonly bad: readonly BadRecord[] };
}

/** The rows of data in any format but Parquet, which the SQL engine reads. */
export function rowsOfData(
  source: AsyncIterable<Uint8Array>,
  options: RowOptions,
): AsyncIterable<RowBatch> {
  const { layout } = options.format;
  if (layout.kind === "avro") return avroRows(source, options);
  if (layout.kind === "json-lines" || layout.kind === "json-values") {
    const lines = layout.kind === "json-lines";
    const parser = lines ? createJsonLinesParser() : createJsonValuesParser();
    return textRows(source, parser, jsonReader(options), options);
  }
  return textRows(source, textParser(layout), textReader(options), options);
}

function textParser(layout: Layout): Parser<TextRecord> {
  if (layout.kind === "delimited") return createDelimitedParser(layout);
  return layout.kind === "lines" ? createLinesParser() : createWholeParser();
}

async function* textRows<R extends { readonly row: number }>(
  source: AsyncIterable<Uint8Array>,
  parser: Parser<R>,
  read: (record: R) => readonly KqlValue[],
  { badRows, ignoreFirstRecord }: RowOptions,
): AsyncGenerator<RowBatch> {
  const first = ignoreFirstRecord ? 2 : 1;
  for await (const [text, isLast] of textParts(source)) {
    const { records, bad } = parser.push(text, isLast);
    const wrong = bad.filter(({ row }) => row >= first);
    const [worst] = wrong;
    if (worst !== undefined && badRows === "fail") throw malformed(worst);
    const kept = records[0]?.row === 1 && first > 1 ? records.slice(1) : records;
    yield { rows: kept.map(read), skipped: wrong.length };
  }
}

/** Text of bytes; what is no UTF-8 becomes the replacement character. */
async function* textParts(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly [text: string, isLast: boolean]> {
  const decoder = new TextDecoder();
  for await (const bytes of source) yield [decoder.decode(bytes, { stream: true }), false];
  yield [decoder.decode(), true];
}

async function* avroRows(
  source: AsyncIterable<Uint8Array>,
  options: RowOptions,
): AsyncGenerator<RowBatch> {
  const read = jsonReader(options);
  let records: JsonRecord[] = [];
  for await (const record of avroRecords(source)) {
    records.push(record);
    if (records.length < ROWS_AT_ONCE) continue;
    yield { rows: records.map(read), skipped: 0 };
    records = [];
  }
  yield { rows: records.map(read), skipped: 0 };
}

/** Each line is one field. */
function createLinesParser(): Parser<TextRecord> {
  let row = 0;
  let rest = "";
  return {
    push(text, isLast) {
      const lines = (rest + text).split("\n");
      const last = lines.pop() ?? "";
      rest = isLast ? "" : last;
      if (isLast && last !== "") lines.push(last);
      const records = lines.map((line) => {
        row += 1;
        return { row, fields: [line.endsWith("\r") ? line.slice(0, -1) : line] };
      });
      return { records, bad: [] };
    },
  };
}

/** All is one field. */
function createWholeParser(): Parser<TextRecord> {
  const parts: string[] = [];
  return {
    push(text, isLast) {
      parts.push(text);
      if (!isLast) return { records: [], bad: [] };
      return { records: [{ row: 1, fields: [parts.join("")] }], bad: [] };
    },
  };
}
