import type { SingleNavigation, Table } from "../definitions/table.ts";
import type { LookupColumn } from "../definitions/types.ts";
import { parsePath } from "../protocol/path.ts";
import { badBody, noRow, shown } from "../protocol/refusals.ts";
import { rowsOf } from "../storage/physical.ts";
import { quoted, sql, type Cell } from "../storage/sql.ts";
import { idOf, parseKey, requireRow } from "./find.ts";
import type { Work } from "./work.ts";

export interface RowReference {
  readonly table: Table;
  readonly id: string;
}

/**
 * The row that a URL such as `/opportunities(…)` names, absolute or relative, by its id or by an
 * alternate key. That it exists is checked.
 */
export async function resolveReference(work: Work, url: unknown): Promise<RowReference> {
  const { catalog } = work.context;
  if (typeof url !== "string") throw badBody(`The reference ${shown(url)} is not a URL.`);
  const [last] = parsePath(url.split("?", 1)[0] ?? "").slice(-1);
  const table = last === undefined ? undefined : catalog.set(last.name);
  if (table === undefined || last?.args === undefined) {
    throw badBody(`The reference ${shown(url)} does not name a row, such as /set(id).`);
  }
  const key = parseKey(table, last.args);
  if (key.kind === "alternate") {
    return { table, id: idOf(table, await requireRow(work.writer, table, key)) };
  }
  await requireExisting(work, table, key.id);
  return { table, id: key.id };
}

/** Refuses with 404 when there is no such row. */
async function requireExisting(work: Work, table: Table, id: string): Promise<void> {
  const name = `${table.logicalName}:${id}`;
  if (work.found.has(name)) return;
  const rows = await work.writer.rows(
    sql(`select 1 as one from ${rowsOf(table)} where ${quoted(table.primaryId)} = ?`, [id]),
  );
  if (rows.length === 0) throw noRow(table.logicalName, id);
  work.found.add(name);
}

/** Refuses a row of a table that the lookup cannot hold. */
export function requireTarget(navigation: SingleNavigation, { table }: RowReference): void {
  if (navigation.targets.includes(table.logicalName)) return;
  throw badBody(
    `${navigation.name} refers to rows of ${navigation.targets.join(" or ")}, ` +
      `not of ${table.logicalName}.`,
  );
}

/** The cells of a lookup that refers to a row, or to none. */
export function lookupCells(
  column: LookupColumn,
  reference: RowReference | undefined,
): ReadonlyMap<string, Cell> {
  const cells = new Map<string, Cell>([[column.logicalName, reference?.id ?? null]]);
  if (column.typeColumn !== undefined) {
    cells.set(column.typeColumn, reference?.table.logicalName ?? null);
  }
  return cells;
}
