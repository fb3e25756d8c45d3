import { isUniqueViolation } from "#platform/store/unique-violation.ts";
import type { Table } from "../definitions/table.ts";
import { badArgument } from "../protocol/refusals.ts";
import type { Cell, Row } from "../storage/sql.ts";
import { parseBody, type Body, type RowInput } from "./body.ts";
import { requirePrecondition, type Precondition } from "./conditions.ts";
import { boundCells, duplicateKey, parentCells, sealed } from "./create.ts";
import { findRow, idOf, missing, type RowKey } from "./find.ts";
import { connect, writeCells } from "./connect.ts";
import { resolveReference, type RowReference } from "./references.ts";
import { statesAfter } from "./states.ts";
import type { Work } from "./work.ts";

export interface Change {
  readonly key: RowKey;
  readonly body: Body;
  readonly precondition: Precondition;
}

/** Changes the columns that the body names, and no others; answers the row as it is then. */
export async function updateRow(work: Work, table: Table, change: Change): Promise<Row> {
  const { key, precondition } = change;
  work.context.access.require(work.actor.caller, "write", table.logicalName);
  const before = await findRow(work.writer, table, key);
  requirePrecondition(table, precondition, before);
  if (before === undefined) throw missing(table, key);
  return changeRow(work, table, before, change.body);
}

/** As `updateRow`, on a row that was read in this transaction. */
export async function changeRow(work: Work, table: Table, before: Row, body: Body): Promise<Row> {
  const id = idOf(table, before);
  const input = parseBody(table, body, "update");
  if (input.id !== undefined && input.id !== id) {
    throw badArgument(`The body names the row ${input.id}, the URL the row ${id}.`);
  }
  const cells = new Map([
    ...sealed(work, table, input.cells),
    ...(await boundCells(work, table, input)),
  ]);
  for (const [name, cell] of await parentCells(work, input, 1)) cells.set(name, cell);
  const states = statesAfter(table, cells, before);
  for (const [name, cell] of states) cells.set(name, cell);
  requireStillThere(table, cells);
  try {
    await writeCells(work, { table, id }, cells);
  } catch (error) {
    if (isUniqueViolation(error)) throw duplicateKey(table);
    throw error;
  }
  await connectChildren(work, { table, id }, input);
  announce(work, table, { id, cells, isStateChange: states.size > 0 });
  const after = await findRow(work.writer, table, { kind: "id", id });
  if (after === undefined) throw new Error(`The row ${id} has vanished while it was changed.`);
  return after;
}

async function connectChildren(
  work: Work,
  parent: RowReference,
  { children }: RowInput,
): Promise<void> {
  for (const { navigation, rows } of children) {
    for (const one of rows) {
      if (!("url" in one)) throw badArgument(`An update creates no rows in ${navigation.name}.`);
      await connect(work, { parent, navigation }, await resolveReference(work, one.url));
    }
  }
}

/** A change may leave required columns alone, and may not empty them. */
function requireStillThere(table: Table, cells: ReadonlyMap<string, Cell>): void {
  for (const [name, cell] of cells) {
    const level = table.column(name)?.requiredLevel;
    const isRequired = level === "ApplicationRequired" || level === "SystemRequired";
    if (!isRequired || (cell !== null && cell !== "")) continue;
    throw badArgument(`The column ${name} of ${table.logicalName} is required.`);
  }
}

interface Changed {
  readonly id: string;
  readonly cells: ReadonlyMap<string, Cell>;
  readonly isStateChange: boolean;
}

function announce(work: Work, table: Table, { id, cells, isStateChange }: Changed): void {
  const content = Object.fromEntries(cells);
  work.events.push({ message: "Update", table, rowId: id, content });
  if (isStateChange) work.events.push({ message: "SetState", table, rowId: id, content });
}
