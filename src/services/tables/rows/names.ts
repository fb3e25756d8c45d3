import type { Catalog } from "../definitions/catalog.ts";
import { isLookup, type Table } from "../definitions/table.ts";
import type { Column } from "../definitions/types.ts";
import type { Preferences } from "../protocol/prefer.ts";
import { rowsOf } from "../storage/physical.ts";
import { quoted, sql, type Reader, type Row } from "../storage/sql.ts";
import { targetOf } from "./present.ts";

const IDS_PER_QUERY = 500;

export interface Referring {
  readonly catalog: Catalog;
  readonly reader: Reader;
  readonly preferences: Preferences;
}

/** The names of the rows that lookups refer to, as `table:id`; none when nobody wants them. */
export async function namesOf(
  { catalog, reader, preferences }: Referring,
  table: Table,
  {
    rows,
    select,
  }: { readonly rows: readonly Row[]; readonly select: readonly Column[] | undefined },
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  if (preferences.annotations.length === 0) return names;
  const lookups = (select ?? table.columns).filter(isLookup);
  const wanted = new Map<string, Set<string>>();
  for (const row of rows) {
    for (const column of lookups) {
      const id = row[column.logicalName];
      const target = targetOf(column, row);
      if (typeof id !== "string" || target === undefined) continue;
      wanted.set(target, (wanted.get(target) ?? new Set()).add(id));
    }
  }
  for (const [target, ids] of wanted) {
    const other = catalog.table(target);
    if (other !== undefined) await collect(reader, other, [...ids], names);
  }
  return names;
}

async function collect(
  reader: Reader,
  table: Table,
  ids: readonly string[],
  names: Map<string, string>,
): Promise<void> {
  for (let at = 0; at < ids.length; at += IDS_PER_QUERY) {
    const some = ids.slice(at, at + IDS_PER_QUERY);
    const marks = some.map(() => "?").join(", ");
    const rows = await reader.rows(
      sql(
        `select ${quoted(table.primaryId)} as id, ${quoted(table.primaryName)} as name ` +
          `from ${rowsOf(table)} where ${quoted(table.primaryId)} in (${marks})`,
        some,
      ),
    );
    for (const { id, name } of rows) {
      if (name !== null) names.set(`${table.logicalName}:${id}`, String(name));
    }
  }
}
