import { Problem } from "#platform/problem.ts";
import type { Incoming } from "../definitions/catalog.ts";
import type { Table } from "../definitions/table.ts";
import { badArgument, CODES } from "../protocol/refusals.ts";
import { rowsOf } from "../storage/physical.ts";
import { quoted, sql, type Row } from "../storage/sql.ts";
import { recordRemoval } from "../retention/removal.ts";
import { requirePrecondition, type Precondition } from "./conditions.ts";
import { writeCells } from "./connect.ts";
import { findRow, idOf, missing, type RowKey } from "./find.ts";
import { lookupCells } from "./references.ts";
import { isLookup } from "../definitions/table.ts";
import type { Work } from "./work.ts";

/** Rows that one deletion may take with it. */
const CASCADE_MAX = 100_000;

/** One deletion: the row that was asked for, and those that go with it. */
interface Deletion {
  readonly id: string;
  readonly seen: Set<string>;
}

/** Deletes a row, and does to the rows that refer to it what their relationships say. */
export async function deleteRow(
  work: Work,
  table: Table,
  { key, precondition }: { readonly key: RowKey; readonly precondition: Precondition },
): Promise<void> {
  work.context.access.require(work.actor.caller, "delete", table.logicalName);
  const row = await findRow(work.writer, table, key);
  requirePrecondition(table, precondition, row);
  if (row === undefined) throw missing(table, key);
  const deletion = { id: work.context.environment.newId(), seen: new Set<string>() };
  await remove(work, table, row, deletion);
}

async function remove(work: Work, table: Table, row: Row, deletion: Deletion): Promise<void> {
  const id = idOf(table, row);
  const name = `${table.logicalName}:${id}`;
  if (deletion.seen.has(name)) return;
  if (deletion.seen.size >= CASCADE_MAX) {
    throw badArgument(`More than ${CASCADE_MAX} rows would be deleted together.`);
  }
  deletion.seen.add(name);
  for (const incoming of work.context.catalog.incoming(table.logicalName)) {
    await follow(work, incoming, id, deletion);
  }
  await removeLinks(work, table, id);
  await work.writer.run(
    sql(`delete from ${rowsOf(table)} where ${quoted(table.primaryId)} = ?`, [id]),
  );
  await recordRemoval(work, table, { row, deletion: deletion.id, isRestorable: true });
  work.found.delete(name);
  work.events.push({ message: "Delete", table, rowId: id, content: {} });
}

/** What happens to the rows that refer to a row that goes. */
async function follow(
  work: Work,
  { source, reference }: Incoming,
  id: string,
  deletion: Deletion,
): Promise<void> {
  const action = reference.cascade.delete;
  if (action === "NoCascade") return;
  const column = source.column(reference.column);
  if (column === undefined || !isLookup(column)) return;
  const rows = await work.writer.rows(
    sql(`select * from ${rowsOf(source)} where ${quoted(column.logicalName)} = ? limit ?`, [
      id,
      CASCADE_MAX + 1,
    ]),
  );
  for (const row of rows) {
    if (action === "Cascade") await remove(work, source, row, deletion);
    else if (action === "Restrict") throw isReferred(source, reference.target, id);
    else {
      const child = { table: source, id: idOf(source, row) };
      await writeCells(work, child, lookupCells(column, undefined));
    }
  }
}

function isReferred(source: Table, target: string, id: string): Problem {
  return new Problem(
    405,
    CODES.CannotDeleteDueToAssociation,
    `The record of ${target} with the id ${id} cannot be deleted: ` +
      `records of ${source.logicalName} refer to it.`,
  );
}

/** Removes the links of a row with any others. */
export async function removeLinks({ writer }: Work, table: Table, id: string): Promise<void> {
  for (const relationship of relationshipsOf(table)) {
    await writer.run(
      sql("delete from row_link where relationship = ? and (first_id = ? or second_id = ?)", [
        relationship,
        id,
        id,
      ]),
    );
  }
}

function relationshipsOf(table: Table): readonly string[] {
  return table
    .navigations()
    .flatMap((navigation) => (navigation.kind === "link" ? [navigation.relationship] : []));
}
