import { isLookup, type Table } from "../definitions/table.ts";
import { badArgument } from "../protocol/refusals.ts";
import { columnOf, PURGED_ON, RETAINED_BY, RETAINED_ON, rowsOf } from "../storage/physical.ts";
import { quoted, sql, type Row } from "../storage/sql.ts";
import { writeCells } from "../rows/connect.ts";
import { idOf, missing, requireRow, type RowKey } from "../rows/find.ts";
import { lookupCells } from "../rows/references.ts";
import { removeLinks } from "../rows/remove.ts";
import type { Work } from "../rows/work.ts";
import { recordRemoval } from "./removal.ts";

/** Refuses tables whose rows are not put away for the long term. */
export function requireRetention(table: Table): void {
  if (table.definition.messages.includes("Retain")) return;
  throw badArgument(`${table.logicalName} does not support long-term retention.`);
}

/**
 * Puts a row away: it is gone from ordinary queries and cannot be changed. Rows that refer to it
 * lose their reference where the relationship says so.
 */
export async function retainRow(
  work: Work,
  table: Table,
  { key, operation }: { readonly key: RowKey; readonly operation: string },
): Promise<void> {
  requireRetention(table);
  work.context.access.require(work.actor.caller, "retain", table.logicalName);
  const row = await requireRow(work.writer, table, key);
  const id = idOf(table, row);
  await removeReferences(work, table, id);
  await removeLinks(work, table, id);
  const columns = table.columns.map((column) => columnOf(column)).join(", ");
  await work.writer.run(
    sql(
      `insert into ${rowsOf(table, "retained")} (${columns}, ${RETAINED_ON}, ${RETAINED_BY}) ` +
        `select ${columns}, ?, ? from ${rowsOf(table)} where ${quoted(table.primaryId)} = ?`,
      [work.now, operation, id],
    ),
  );
  await removeLive(work, table, id);
  await recordRemoval(work, table, { row, deletion: operation, isRestorable: false });
  work.events.push({ message: "Retain", table, rowId: id, content: { OperationId: operation } });
}

async function removeLive({ writer }: Work, table: Table, id: string): Promise<void> {
  await writer.run(sql(`delete from ${rowsOf(table)} where ${quoted(table.primaryId)} = ?`, [id]));
}

async function removeReferences(work: Work, table: Table, id: string): Promise<void> {
  for (const { source, reference } of work.context.catalog.incoming(table.logicalName)) {
    const column = source.column(reference.column);
    if (reference.cascade.archive !== "RemoveLink" || !column || !isLookup(column)) continue;
    const rows: readonly Row[] = await work.writer.rows(
      sql(`select * from ${rowsOf(source)} where ${quoted(reference.column)} = ?`, [id]),
    );
    for (const row of rows) {
      const child = { table: source, id: idOf(source, row) };
      await writeCells(work, child, lookupCells(column, undefined));
    }
  }
}

/** Brings a row back that was put away and not yet for good. */
export async function rollBackRetained(work: Work, table: Table, key: RowKey): Promise<void> {
  requireRetention(table);
  work.context.access.require(work.actor.caller, "retain", table.logicalName);
  if (key.kind !== "id") throw badArgument("A retained row is named by its id.");
  const { id } = key;
  const where = `where ${quoted(table.primaryId)} = ?`;
  const [kept] = await work.writer.rows(
    sql(`select ${PURGED_ON} as purged from ${rowsOf(table, "retained")} ${where}`, [id]),
  );
  if (kept === undefined) throw missing(table, key);
  if (kept["purged"] !== null) {
    throw badArgument(`The row ${id} of ${table.logicalName} is retained for good.`);
  }
  const columns = table.columns.map((column) => columnOf(column)).join(", ");
  await work.writer.run(
    sql(
      `insert into ${rowsOf(table)} (${columns}) ` +
        `select ${columns} from ${rowsOf(table, "retained")} ${where}`,
      [id],
    ),
  );
  await work.writer.run(sql(`delete from ${rowsOf(table, "retained")} ${where}`, [id]));
  await work.writer.run(
    sql("delete from deleted_row where table_name = ? and row_id = ?", [table.logicalName, id]),
  );
  const version = await work.takeVersions(1);
  await work.writer.run(
    sql(`update ${rowsOf(table)} set versionnumber = ? ${where}`, [version, id]),
  );
  work.events.push({ message: "RollbackRetain", table, rowId: id, content: {} });
}

export interface Purged {
  readonly count: number;
  readonly hasMore: boolean;
}

/** Makes final what was put away, oldest versions first: such rows never come back. */
export async function purgeRetained(
  work: Work,
  table: Table,
  { versionMax, pageSize }: { readonly versionMax: number; readonly pageSize: number },
): Promise<Purged> {
  requireRetention(table);
  work.context.access.require(work.actor.caller, "retain", table.logicalName);
  const kept = rowsOf(table, "retained");
  const rows = await work.writer.rows(
    sql(
      `select ${quoted(table.primaryId)} as id from ${kept} where ${PURGED_ON} is null ` +
        "and versionnumber <= ? order by versionnumber limit ?",
      [versionMax, pageSize + 1],
    ),
  );
  const ids = rows.slice(0, pageSize).map(({ id }) => String(id));
  for (const id of ids) {
    await work.writer.run(
      sql(`update ${kept} set ${PURGED_ON} = ? where ${quoted(table.primaryId)} = ?`, [
        work.now,
        id,
      ]),
    );
    const parent = { ParentMessageName: "PurgeRetainedContent" };
    work.events.push({ message: "Delete", table, rowId: id, content: parent });
  }
  if (ids.length > 0) {
    const content = { MaxVersionToPurge: versionMax };
    work.events.push({ message: "PurgeRetainedContent", table, rowId: "", content });
  }
  return { count: ids.length, hasMore: rows.length > pageSize };
}
