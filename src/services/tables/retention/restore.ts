import type { Table } from "../definitions/table.ts";
import { badArgument } from "../protocol/refusals.ts";
import { missing, type RowKey } from "../rows/find.ts";
import type { Work } from "../rows/work.ts";
import { insertRows } from "../storage/insert.ts";
import { sql, type Cell, type Row } from "../storage/sql.ts";

/** How long a deleted row can be restored. */
export const RESTORABLE_DAYS = 30;
export const DAY_MS = 24 * 60 * 60 * 1000;

/** Brings a deleted row back, and the rows that went with it. */
export async function restoreRow(work: Work, table: Table, key: RowKey): Promise<void> {
  work.context.access.require(work.actor.caller, "create", table.logicalName);
  if (key.kind !== "id") throw badArgument("A deleted row is named by its id.");
  const [gone] = await work.writer.rows(
    sql(
      "select deletion, content, deleted_on from deleted_row where table_name = ? and row_id = ?",
      [table.logicalName, key.id],
    ),
  );
  if (gone === undefined || gone["content"] === "") throw missing(table, key);
  const age = Date.parse(work.now) - Date.parse(String(gone["deleted_on"]));
  if (age > RESTORABLE_DAYS * DAY_MS) {
    throw badArgument(`The row was deleted more than ${RESTORABLE_DAYS} days ago.`);
  }
  const rows = await work.writer.rows(
    sql("select table_name, row_id, content from deleted_row where deletion = ? and content <> ?", [
      String(gone["deletion"]),
      "",
    ]),
  );
  for (const row of rows) await restoreOne(work, row);
}

async function restoreOne(work: Work, gone: Row): Promise<void> {
  const [name, id] = [String(gone["table_name"]), String(gone["row_id"])];
  const table = work.context.catalog.table(name);
  if (table === undefined) return;
  const content: Record<string, Cell> = JSON.parse(String(gone["content"]));
  const versionnumber = await work.takeVersions(1);
  await insertRows(work.writer, table, [{ ...content, versionnumber }]);
  await work.writer.run(
    sql("delete from deleted_row where table_name = ? and row_id = ?", [name, id]),
  );
  work.events.push({ message: "Restore", table, rowId: id, content: {} });
}
