import { sqlType } from "#engines/duckdb/values.ts";
import type { KqlColumn } from "#engines/kql/types.ts";
import type { CatalogChange } from "./catalog.ts";
import { CatalogError } from "./catalog-error.ts";
import {
  EXTENT_COLUMN,
  INGESTED_COLUMN,
  type CatalogColumn,
  type CatalogTable,
} from "./catalog-schema.ts";
import { checkName } from "./names.ts";

const COLUMNS_MAX = 10_000;

/** New columns, numbered from `firstId`. */
export function newColumns(columns: readonly KqlColumn[], firstId: number): CatalogColumn[] {
  return columns.map(({ name, type }, index) => {
    const id = firstId + index;
    return { id, name, type, sqlName: `c${id}`, docString: "" };
  });
}

export function checkColumns(columns: readonly KqlColumn[]): void {
  if (columns.length === 0) {
    throw new CatalogError("invalid-schema", "A table must have at least one column.");
  }
  if (columns.length > COLUMNS_MAX) {
    throw new CatalogError("limit", `A table may have ${COLUMNS_MAX} columns at most.`);
  }
  const names = new Set<string>();
  for (const { name } of columns) {
    checkName("column", name);
    if (names.has(name)) {
      throw new CatalogError("invalid-schema", `Column '${name}' is defined more than once.`);
    }
    names.add(name);
  }
}

export async function createStoredTable(
  { connection }: CatalogChange,
  { sqlName, columns }: CatalogTable,
): Promise<void> {
  const hidden = [`${EXTENT_COLUMN} varchar`, `${INGESTED_COLUMN} bigint`];
  const list = [...hidden, ...columns.map(definition)];
  await connection.run(`create table ${sqlName} (${list.join(", ")})`);
}

/** There are no null strings: rows from before have an empty one. */
function definition({ sqlName, type }: CatalogColumn): string {
  return `${sqlName} ${sqlType(type)}${type === "string" ? " default ''" : ""}`;
}

/** Makes the stored table have the columns of `after`. */
export async function alterStoredTable(
  { connection }: CatalogChange,
  before: CatalogTable,
  after: CatalogTable,
): Promise<void> {
  const wanted = new Set(after.columns.map(({ id }) => id));
  const existing = new Set(before.columns.map(({ id }) => id));
  for (const column of after.columns.toSorted((a, b) => a.id - b.id)) {
    if (existing.has(column.id)) continue;
    await connection.run(`alter table ${before.sqlName} add column ${definition(column)}`);
  }
  for (const { id, sqlName } of before.columns) {
    if (wanted.has(id)) continue;
    await connection.run(`alter table ${before.sqlName} drop column ${sqlName}`);
  }
}

export async function dropStoredTable(change: CatalogChange, table: CatalogTable): Promise<void> {
  const { connection } = change;
  await connection.run(`drop table ${table.sqlName}`);
  await connection.run(`delete from atoll_catalog.extents where table_id = ${table.id}`);
  await change.remove(table.id);
}
