import { Problem } from "#platform/problem.ts";
import { isUniqueViolation } from "#platform/store/unique-violation.ts";
import { isLookup, type Table } from "../definitions/table.ts";
import type { LookupColumn } from "../definitions/types.ts";
import { badArgument, badBody, CODES } from "../protocol/refusals.ts";
import { insertRows } from "../storage/insert.ts";
import { rowsOf } from "../storage/physical.ts";
import { quoted, sql, type Cell, type Row } from "../storage/sql.ts";
import { parseBody, type Body, type Connected, type RowInput } from "./body.ts";
import { idOf } from "./find.ts";
import { connect } from "./connect.ts";
import { lookupCells, requireTarget, resolveReference, type RowReference } from "./references.ts";
import { statesAfter } from "./states.ts";
import type { Work } from "./work.ts";

/** How deep rows may be nested in the body that creates them. */
const NESTING_MAX = 10;

interface Prepared {
  readonly row: Row;
  readonly children: readonly Connected[];
}

/** Creates rows, in order, with all that is nested in them; answers them as they are stored. */
export async function createRows(
  work: Work,
  table: Table,
  bodies: readonly Body[],
  depth = 1,
): Promise<readonly Row[]> {
  if (depth > NESTING_MAX) {
    throw badBody(`Rows are nested deeper than ${NESTING_MAX} levels.`);
  }
  work.context.access.require(work.actor.caller, "create", table.logicalName);
  const first = await work.takeVersions(bodies.length);
  const prepared: Prepared[] = [];
  for (const [at, body] of bodies.entries()) {
    const input = parseBody(table, body, "create");
    prepared.push(await prepare(work, table, { input, version: first + at, depth }));
  }
  const rows = prepared.map(({ row }) => row);
  await insert(work, table, rows);
  for (const { row, children } of prepared) {
    const rowId = idOf(table, row);
    work.found.add(`${table.logicalName}:${rowId}`);
    work.events.push({ message: "Create", table, rowId, content: row });
    for (const child of children) await addChildren(work, { table, id: rowId }, child, depth);
  }
  return rows;
}

async function prepare(
  work: Work,
  table: Table,
  options: { readonly input: RowInput; readonly version: number; readonly depth: number },
): Promise<Prepared> {
  const { input, version, depth } = options;
  const cells = new Map<string, Cell>([
    ...defaultsOf(table),
    ...stampsOf(work, table, version),
    ...sealed(work, table, input.cells),
    ...(await boundCells(work, table, input)),
    ...(await parentCells(work, input, depth)),
  ]);
  cells.set(table.primaryId, await newId(work, table, input.id));
  for (const [name, cell] of statesAfter(table, cells, undefined)) cells.set(name, cell);
  requireRequired(table, cells);
  return { row: Object.fromEntries(cells), children: input.children };
}

function defaultsOf(table: Table): readonly [string, Cell][] {
  return table.columns.flatMap((column): [string, Cell][] =>
    column.type === "Boolean" ? [[column.logicalName, column.default ? 1 : 0]] : [],
  );
}

/** Creates the rows that are nested under lookups; answers the cells that refer to them. */
export async function parentCells(
  work: Work,
  { parents }: RowInput,
  depth: number,
): Promise<ReadonlyMap<string, Cell>> {
  const cells = new Map<string, Cell>();
  for (const { navigation, body } of parents) {
    const [target = ""] = navigation.targets;
    const parent = work.context.catalog.table(target);
    if (parent === undefined || navigation.targets.length > 1) {
      throw badBody(`${navigation.name} may refer to several tables; name one of its own.`);
    }
    const [row] = await createRows(work, parent, [body], depth + 1);
    const reference = row && { table: parent, id: idOf(parent, row) };
    for (const [name, cell] of lookupCells(navigation.column, reference)) cells.set(name, cell);
  }
  return cells;
}

/** Secrets are sealed before they get anywhere. */
export function sealed(
  { context }: Work,
  table: Table,
  cells: ReadonlyMap<string, Cell>,
): ReadonlyMap<string, Cell> {
  const secrets = table.columns.filter((column) => "isSecret" in column);
  if (secrets.length === 0) return cells;
  return new Map(
    [...cells].map(([name, cell]) => {
      const isSecret = secrets.some(({ logicalName }) => logicalName === name);
      return [name, isSecret && typeof cell === "string" ? context.seal(cell) : cell];
    }),
  );
}

/** The cells of the lookups that a body binds to rows. */
export async function boundCells(
  work: Work,
  table: Table,
  { bound }: RowInput,
): Promise<ReadonlyMap<string, Cell>> {
  const cells = new Map<string, Cell>();
  for (const { navigation, url } of bound) {
    const reference = url === null ? undefined : await resolveReference(work, url);
    if (reference !== undefined) {
      requireTarget(navigation, reference);
      requireConnectable(work, table, reference.table);
    }
    for (const [name, cell] of lookupCells(navigation.column, reference)) cells.set(name, cell);
    if (navigation.column.type === "Owner") takeOwner(navigation.column, reference, cells);
  }
  return cells;
}

/** Rows are connected by whoever may append the one and append to the other. */
function requireConnectable(work: Work, table: Table, target: Table): void {
  const { access } = work.context;
  access.require(work.actor.caller, "append", table.logicalName);
  access.require(work.actor.caller, "appendTo", target.logicalName);
}

function takeOwner(
  column: LookupColumn,
  reference: RowReference | undefined,
  cells: Map<string, Cell>,
): void {
  if (reference === undefined) throw badArgument(`${column.logicalName} cannot be empty.`);
  const isTeam = reference.table.logicalName === "team";
  cells.set("owninguser", isTeam ? null : reference.id);
  cells.set("owningteam", isTeam ? reference.id : null);
}

/** Refuses what misses a value that the application requires. */
function requireRequired(table: Table, cells: ReadonlyMap<string, Cell>): void {
  for (const column of table.columns) {
    if (column.requiredLevel !== "ApplicationRequired") continue;
    const cell = cells.get(column.logicalName);
    if (cell !== undefined && cell !== null && cell !== "") continue;
    throw badArgument(`The column ${column.logicalName} of ${table.logicalName} is required.`);
  }
}

function stampsOf(work: Work, table: Table, version: number): readonly [string, Cell][] {
  const { actor, context, now } = work;
  const stamps: Readonly<Record<string, Cell>> = {
    createdby: actor.userId,
    createdon: now,
    createdonbehalfby: actor.behalfOf ?? null,
    modifiedby: actor.userId,
    modifiedon: now,
    modifiedonbehalfby: actor.behalfOf ?? null,
    versionnumber: version,
    ownerid: actor.userId,
    owneridtype: "systemuser",
    owninguser: actor.userId,
    owningbusinessunit: context.organization.businessUnitId,
  };
  return Object.entries(stamps).filter(([name]) => table.column(name) !== undefined);
}

async function newId(work: Work, table: Table, given: string | undefined): Promise<string> {
  if (given === undefined) return work.context.environment.newId();
  const rows = await work.writer.rows(
    sql(`select 1 as one from ${rowsOf(table)} where ${quoted(table.primaryId)} = ?`, [given]),
  );
  if (rows.length > 0) throw duplicate(table, given);
  // A row that returns under its old id is no longer a deleted one.
  await work.writer.run(
    sql("delete from deleted_row where table_name = ? and row_id = ?", [table.logicalName, given]),
  );
  return given;
}

async function insert(work: Work, table: Table, rows: readonly Row[]): Promise<void> {
  try {
    await insertRows(work.writer, table, rows);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw violation(table, rows);
  }
}

function duplicate(table: Table, id: string): Problem {
  return new Problem(
    412,
    CODES.DuplicateRecord,
    `A record of ${table.logicalName} with the id ${id} exists already.`,
  );
}

/** Which rule a row has broken: two of one body with one id, or an alternate key. */
function violation(table: Table, rows: readonly Row[]): Problem {
  const seen = new Set<string>();
  for (const row of rows) {
    const id = idOf(table, row);
    if (seen.has(id)) return duplicate(table, id);
    seen.add(id);
  }
  return duplicateKey(table);
}

/** 412: another row has the same values in the columns of an alternate key. */
export function duplicateKey(table: Table): Problem {
  const names = table.keys.map(({ name, columns }) => `${name} (${columns.join(", ")})`);
  return new Problem(
    412,
    CODES.DuplicateKey,
    `A record of ${table.logicalName} with the same key exists already; ` +
      `its keys are ${names.join(", ")}.`,
  );
}

async function addChildren(
  work: Work,
  parent: RowReference,
  { navigation, rows }: Connected,
  depth: number,
): Promise<void> {
  const target = work.context.catalog.table(navigation.target);
  if (target === undefined) throw badBody(`There is no table ${navigation.target}.`);
  for (const one of rows) {
    if ("url" in one) {
      await connect(work, { parent, navigation }, await resolveReference(work, one.url));
    } else if (navigation.kind === "link") {
      const [row] = await createRows(work, target, [one.body], depth + 1);
      if (row === undefined) continue;
      await connect(work, { parent, navigation }, { table: target, id: idOf(target, row) });
    } else {
      const body = { ...one.body, ...bindingTo(target, navigation.reference.column, parent) };
      await createRows(work, target, [body], depth + 1);
    }
  }
}

/** What a nested row says of the row that it is nested in. */
function bindingTo(table: Table, name: string, { table: parent, id }: RowReference): Body {
  const column = table.column(name);
  if (column === undefined || !isLookup(column)) throw badBody(`${name} is not a lookup.`);
  return { [`${name}@odata.bind`]: `/${parent.entitySetName}(${id})` };
}
