import type { CollectionNavigation, LinkNavigation } from "../definitions/table.ts";
import { isLookup } from "../definitions/table.ts";
import { badArgument, badBody } from "../protocol/refusals.ts";
import { rowsOf } from "../storage/physical.ts";
import { quoted, sql, type Cell } from "../storage/sql.ts";
import { lookupCells, type RowReference } from "./references.ts";
import type { Work } from "./work.ts";

/** One end of a relationship: a row, and the property that leads from it to others. */
export interface End {
  readonly parent: RowReference;
  readonly navigation: CollectionNavigation | LinkNavigation;
}

/** Connects two rows; those that are connected already stay so. */
export async function connect(work: Work, end: End, child: RowReference): Promise<void> {
  const { parent, navigation } = end;
  requireChild(end, child);
  requireMayConnect(work, end);
  if (navigation.kind === "collection") {
    await setLookup(work, navigation, { child, parent });
  } else {
    await work.writer.run(
      sql(
        "insert into row_link (relationship, first_id, second_id) values (?, ?, ?) " +
          "on conflict do nothing",
        linkOf(navigation, parent, child),
      ),
    );
  }
  announce(work, "Associate", end, child);
}

/** Separates two rows; answers whether they were connected. */
export async function disconnect(work: Work, end: End, child: RowReference): Promise<boolean> {
  const { parent, navigation } = end;
  requireChild(end, child);
  requireMayConnect(work, end);
  const isGone =
    navigation.kind === "collection"
      ? await clearLookup(work, navigation, { child, parent })
      : await removeLink(work, linkOf(navigation, parent, child));
  if (isGone) announce(work, "Disassociate", end, child);
  return isGone;
}

function requireMayConnect(work: Work, { parent, navigation }: End): void {
  const { access } = work.context;
  access.require(work.actor.caller, "append", navigation.target);
  access.require(work.actor.caller, "appendTo", parent.table.logicalName);
}

function requireChild({ navigation }: End, { table }: RowReference): void {
  if (table.logicalName === navigation.target) return;
  throw badBody(
    `${navigation.name} holds rows of ${navigation.target}, not of ${table.logicalName}.`,
  );
}

interface Pair {
  readonly child: RowReference;
  readonly parent: RowReference;
}

async function setLookup(
  work: Work,
  { reference }: CollectionNavigation,
  { child, parent }: Pair,
): Promise<void> {
  const column = child.table.column(reference.column);
  if (column === undefined || !isLookup(column) || !column.isValidForUpdate) {
    throw badArgument(`The column ${reference.column} of ${child.table.logicalName} is read-only.`);
  }
  await writeCells(work, child, lookupCells(column, parent));
}

async function clearLookup(
  work: Work,
  { reference }: CollectionNavigation,
  { child, parent }: Pair,
): Promise<boolean> {
  const column = child.table.column(reference.column);
  if (column === undefined || !isLookup(column) || !column.isValidForUpdate) {
    throw badArgument(`The column ${reference.column} of ${child.table.logicalName} is read-only.`);
  }
  if (column.requiredLevel === "ApplicationRequired") {
    throw badArgument(`The column ${reference.column} of ${child.table.logicalName} is required.`);
  }
  const condition = sql(`${quoted(reference.column)} = ?`, [parent.id]);
  return (await writeCells(work, child, lookupCells(column, undefined), condition)) > 0;
}

/** Writes cells of one row with the stamps of a change; answers the number of rows changed. */
export async function writeCells(
  work: Work,
  { table, id }: RowReference,
  cells: ReadonlyMap<string, Cell>,
  condition = sql("1 = 1"),
): Promise<number> {
  const stamped = new Map([...cells, ...(await changeStamps(work))]);
  const names = [...stamped.keys()].filter((name) => table.column(name) !== undefined);
  const sets = names.map((name) => `${quoted(name)} = ?`).join(", ");
  return work.writer.run(
    sql(
      `update ${rowsOf(table)} set ${sets} where ${quoted(table.primaryId)} = ? ` +
        `and ${condition.text}`,
      [...names.map((name) => stamped.get(name) ?? null), id, ...condition.values],
    ),
  );
}

async function changeStamps(work: Work): Promise<ReadonlyMap<string, Cell>> {
  return new Map<string, Cell>([
    ["modifiedby", work.actor.userId],
    ["modifiedon", work.now],
    ["modifiedonbehalfby", work.actor.behalfOf ?? null],
    ["versionnumber", await work.takeVersions(1)],
  ]);
}

async function removeLink(work: Work, link: readonly Cell[]): Promise<boolean> {
  const statement =
    "delete from row_link where relationship = ? and first_id = ? and second_id = ?";
  return (await work.writer.run(sql(statement, link))) > 0;
}

function linkOf(
  { relationship, side }: LinkNavigation,
  parent: RowReference,
  child: RowReference,
): readonly Cell[] {
  return side === "first"
    ? [relationship, parent.id, child.id]
    : [relationship, child.id, parent.id];
}

function announce(
  work: Work,
  message: "Associate" | "Disassociate",
  { parent, navigation }: End,
  child: RowReference,
): void {
  work.events.push({
    message,
    table: parent.table,
    rowId: parent.id,
    content: {
      Relationship:
        navigation.kind === "link" ? navigation.relationship : navigation.reference.schemaName,
      RelatedEntity: child.table.logicalName,
      RelatedId: child.id,
    },
  });
}
