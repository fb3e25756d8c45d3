import type { Table } from "../definitions/table.ts";
import { columnOf, rowsOf, type Place } from "./physical.ts";
import { sql, type Row, type Writer } from "./sql.ts";

/** Rows per statement, largest first: few different statements, so that each is prepared once. */
const CHUNKS = [100, 10, 1];
/** SQLite takes 32,766 values in a statement, Postgres 65,535. */
const VALUES_MAX = 32_000;

/** Adds rows; what a row does not name is null. Throws the engine's error for one that exists. */
export async function insertRows(
  writer: Writer,
  table: Table,
  rows: readonly Row[],
): Promise<void> {
  const names = table.columns.map(({ logicalName }) => logicalName);
  let at = 0;
  while (at < rows.length) {
    const left = rows.length - at;
    const size = CHUNKS.find((one) => one <= left && one * names.length <= VALUES_MAX) ?? 1;
    const chunk = rows.slice(at, at + size);
    const values = chunk.flatMap((row) => names.map((name) => row[name] ?? null));
    await writer.run(sql(insertText(table, size), values));
    at += size;
  }
}

const texts = new WeakMap<Table, Map<number, string>>();

function insertText(table: Table, count: number): string {
  const known = texts.get(table) ?? new Map<number, string>();
  texts.set(table, known);
  const found = known.get(count);
  if (found !== undefined) return found;
  const text = insertInto(table, "live", count);
  known.set(count, text);
  return text;
}

/** `insert` of `count` rows with all columns of the table, in order. */
function insertInto(table: Table, place: Place, count: number): string {
  const group = `(${table.columns.map(() => "?").join(", ")})`;
  const columns = table.columns.map((column) => columnOf(column)).join(", ");
  const groups = Array.from({ length: count }, () => group).join(", ");
  return `insert into ${rowsOf(table, place)} (${columns}) values ${groups}`;
}
