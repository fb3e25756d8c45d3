import { propertyName, type Table } from "../definitions/table.ts";
import { idOf } from "../rows/find.ts";
import { namesOf } from "../rows/names.ts";
import { presentCell, presentRow } from "../rows/present.ts";
import type { Row } from "../storage/sql.ts";
import type { Aggregated, AggregatedProperty } from "./aggregate.ts";
import type { Expanded, FoundRow, FoundRows } from "./found.ts";
import type { Asked, QueryContext } from "./query.ts";

/** How rows are shown; URLs begin with `base`. */
export interface Presenting {
  readonly context: QueryContext;
  readonly asked: Asked;
  readonly base: string;
}

/** Rows with all that was expanded, in the same order. */
export async function presentFound(
  presenting: Presenting,
  { table, select, rows }: FoundRows,
): Promise<readonly Record<string, unknown>[]> {
  const { context, asked } = presenting;
  const { catalog } = context;
  const { preferences, reader } = asked;
  const plain = rows.map(({ row }) => row);
  const names = await namesOf({ catalog, reader, preferences }, table, { rows: plain, select });
  const shown = rows.map(({ row }): Record<string, unknown> => ({
    ...presentRow(table, row, { catalog, preferences, select, names }),
  }));
  const expansions = new Set(rows.flatMap(({ expanded }) => [...expanded.keys()]));
  for (const name of expansions) {
    const children = await presentChildren(presenting, name, rows);
    for (const [at, found] of rows.entries()) {
      const expanded = found.expanded.get(name);
      const target = shown[at];
      if (expanded === undefined || target === undefined) continue;
      addExpanded(target, { presenting, table, found, name, expanded, children });
    }
  }
  return shown;
}

/** All rows of one navigation property at once; the same row is shown once. */
async function presentChildren(
  presenting: Presenting,
  name: string,
  rows: readonly FoundRow[],
): Promise<ReadonlyMap<FoundRow, object>> {
  const shown = new Map<FoundRow, object>();
  const expansions = rows.flatMap(({ expanded }) => expanded.get(name) ?? []);
  const byTable = Map.groupBy(expansions, ({ table }) => table);
  for (const [table, some] of byTable) {
    const [first] = some;
    const children = [...new Set(some.flatMap((one) => one.rows))];
    const presented = first?.isReference
      ? children.map(({ row }) => ({ "@odata.id": urlOf(presenting, table, row) }))
      : await presentFound(presenting, { table, select: first?.select, rows: children });
    for (const [at, child] of children.entries()) shown.set(child, presented[at] ?? {});
  }
  return shown;
}

function urlOf({ base }: Presenting, table: Table, row: Row): string {
  return `${base}/${table.entitySetName}(${idOf(table, row)})`;
}

interface Adding {
  readonly presenting: Presenting;
  readonly table: Table;
  readonly found: FoundRow;
  readonly name: string;
  readonly expanded: Expanded;
  readonly children: ReadonlyMap<FoundRow, object>;
}

function addExpanded(shown: Record<string, unknown>, adding: Adding): void {
  const { presenting, table, found, name, expanded, children } = adding;
  const rows = expanded.rows.map((row) => children.get(row));
  if (expanded.count !== undefined) shown[`${name}@odata.count`] = expanded.count;
  shown[name] = expanded.isSingle ? (rows[0] ?? null) : rows;
  if (expanded.next !== undefined) {
    const url = `${urlOf(presenting, table, found.row)}/${name}`;
    shown[`${name}@odata.nextLink`] = `${url}?${queryText(expanded.next)}`;
  }
}

/** A query as a URL has it. */
export function queryText(query: ReadonlyMap<string, string>): string {
  return [...query]
    .map(([name, value]) => `${encodedName(name)}=${encodeURIComponent(value)}`)
    .join("&");
}

function encodedName(name: string): string {
  return encodeURIComponent(name).replace("%24", "$").replace("%40", "@");
}

/** The rows of `$apply`, with columns of other rows inside of what leads to them. */
export async function presentAggregated(
  { context, asked }: Presenting,
  { table, properties, rows }: Aggregated,
): Promise<readonly object[]> {
  const { catalog } = context;
  const { preferences, reader } = asked;
  const own = properties.filter(({ path, column }) => path.length === 1 && column !== undefined);
  const select = own.flatMap(({ column }) => column ?? []);
  const stored = rows.map((row) => asStored(own, row));
  const names = await namesOf({ catalog, reader, preferences }, table, { rows: stored, select });
  return rows.map((row, at) => {
    const shown: Record<string, unknown> = {
      ...presentRow(table, stored[at] ?? {}, { catalog, preferences, select, names }),
    };
    delete shown["@odata.etag"];
    if (!select.some(({ logicalName }) => logicalName === table.primaryId)) {
      delete shown[table.primaryId];
    }
    for (const property of properties) if (!own.includes(property)) add(shown, property, row);
    return shown;
  });
}

function asStored(properties: readonly AggregatedProperty[], row: Row): Row {
  return Object.fromEntries(
    properties.map(({ column, key }) => [column?.logicalName ?? key, row[key] ?? null]),
  );
}

function add(shown: Record<string, unknown>, property: AggregatedProperty, row: Row): void {
  const { path, column, key } = property;
  const cell = row[key] ?? null;
  let place = shown;
  for (const part of path.slice(0, -1)) {
    const inner = place[part];
    const next: Record<string, unknown> = isRecord(inner) ? inner : {};
    place[part] = next;
    place = next;
  }
  const name = column === undefined ? (path.at(-1) ?? key) : propertyName(column);
  place[name] = column === undefined ? cell : presentCell(column, cell);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
