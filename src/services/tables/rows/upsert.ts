import type { Table } from "../definitions/table.ts";
import type { Row } from "../storage/sql.ts";
import { missing } from "./find.ts";
import { requirePrecondition } from "./conditions.ts";
import { createRows } from "./create.ts";
import { findRow, type RowKey } from "./find.ts";
import type { Body } from "./body.ts";
import { changeRow, type Change } from "./update.ts";
import type { Work } from "./work.ts";
import { isLookup } from "../definitions/table.ts";
import { presentCell } from "./present.ts";

export interface Upserted {
  readonly row: Row;
  readonly isCreated: boolean;
}

/**
 * Changes the row, or creates it under the key that the URL names. `If-Match` wants it to be there
 * and `If-None-Match: *` wants it not to be.
 */
export async function upsertRow(work: Work, table: Table, change: Change): Promise<Upserted> {
  const { key, body, precondition } = change;
  const { access } = work.context;
  const before = await findRow(work.writer, table, key);
  access.require(work.actor.caller, before === undefined ? "create" : "write", table.logicalName);
  requirePrecondition(table, precondition, before);
  if (before !== undefined) {
    // What the key says already is not said again.
    const rest = key.kind === "id" ? body : without(body, [...key.values.keys()]);
    return { row: await changeRow(work, table, before, rest), isCreated: false };
  }
  if (precondition.kind === "any" || precondition.kind === "etag") throw missing(table, key);
  const [row] = await createRows(work, table, [{ ...bodyOfKey(work, table, key), ...body }]);
  if (row === undefined) throw new Error("A row was created and is not there.");
  return { row, isCreated: true };
}

function without(body: Body, names: readonly string[]): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

function bodyOfKey({ context }: Work, table: Table, key: RowKey): Body {
  if (key.kind === "id") return { [table.primaryId]: key.id };
  return Object.fromEntries(
    [...key.values].map(([name, cell]) => {
      const column = table.column(name);
      if (column === undefined || !isLookup(column)) {
        return [name, column === undefined ? cell : presentCell(column, cell)];
      }
      const [target = ""] = column.targets;
      const set = context.catalog.table(target)?.entitySetName;
      return [`${name}@odata.bind`, `/${set}(${cell})`];
    }),
  );
}
