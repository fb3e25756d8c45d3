import { open } from "node:fs/promises";
import type { DuckDbConnection } from "#engines/duckdb/connection.ts";
import { sqlText } from "#engines/duckdb/sql-text.ts";
import { physicalColumns, type CatalogTable } from "../catalog/catalog-schema.ts";
import type { ColumnMapping } from "../catalog/mapping-text.ts";
import { createDelimitedParser } from "./delimited-text.ts";
import type { RowOptions } from "./records.ts";
import { sqlFromText } from "./text-sql.ts";

/** The first record is looked for in so many bytes. */
const HEAD_BYTES = 1024 * 1024;
/** Longer records are left to the other way. */
const LINE_BYTES_MAX = 16 * 1024 * 1024;

const COUNT = [{ name: "rows", type: "long" }] as const;

export interface BulkTarget {
  readonly extent: string;
  /** Ticks. */
  readonly ingested: bigint;
  readonly file: string;
}

/**
 * The statement that reads a delimited file by the SQL engine's own parser, which is many times as
 * fast as ours; undefined when there is something about it that only ours can.
 */
export async function bulkTextSql(
  target: BulkTarget,
  options: RowOptions,
): Promise<string | undefined> {
  const { format, table, mapping } = options;
  if (format.layout.kind !== "delimited" || format.layout.hasEscapes) return undefined;
  if (mapping?.some(({ transform }) => transform !== undefined) === true) return undefined;
  const fields = await countFields(target.file, format.layout.delimiter);
  if (fields < 2) return undefined;
  const values = physicalColumns(table).map((column) => {
    const source = sourceOf(table, mapping, column);
    const text = typeof source === "string" ? sqlText(source) : fieldSql(source, fields);
    return sqlFromText(column.type, text);
  });
  const columns = Array.from({ length: fields }, (_, index) => `'f${index}': 'VARCHAR'`);
  const csv = [
    sqlText(target.file),
    "auto_detect = false",
    `header = ${options.ignoreFirstRecord}`,
    `delim = ${sqlText(format.layout.delimiter)}`,
    `quote = '"'`,
    `escape = '"'`,
    `max_line_size = ${LINE_BYTES_MAX}`,
    `columns = {${columns.join(", ")}}`,
  ];
  const select = [sqlText(target.extent), `${target.ingested}`, ...values];
  return `${insertInto(table)} select ${select.join(", ")} from read_csv(${csv.join(", ")})`;
}

/** `insert into` with all columns of a table in their stored order, the hidden ones first. */
export function insertInto(table: CatalogTable): string {
  const names = physicalColumns(table).map(({ sqlName }) => sqlName);
  return `insert into ${table.sqlName} (extent, ingested, ${names.join(", ")})`;
}

/** Runs an `insert`; gives the number of rows. */
export async function countInserted(connection: DuckDbConnection, sql: string): Promise<number> {
  const rows = (await Array.fromAsync(connection.rows(sql, COUNT))).flat(2);
  return Number(rows[0]);
}

/** The number of a field, or a constant text. */
function sourceOf(
  table: CatalogTable,
  mapping: readonly ColumnMapping[] | undefined,
  { id, name }: CatalogTable["columns"][number],
): number | string {
  if (mapping === undefined) return table.columns.findIndex((column) => column.id === id);
  const mapped = mapping.find(({ column }) => column === name);
  return mapped?.constant ?? mapped?.ordinal ?? "";
}

function fieldSql(index: number, fields: number): string {
  return index < fields ? `f${index}` : "cast(null as varchar)";
}

async function countFields(path: string, delimiter: string): Promise<number> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const head = buffer.toString("utf8", 0, bytesRead);
  const parser = createDelimitedParser({ delimiter, hasEscapes: false });
  const { records } = parser.push(head, bytesRead < HEAD_BYTES);
  return records[0]?.fields.length ?? 0;
}
