import type { SingleNavigation, Table } from "../definitions/table.ts";
import { badQuery } from "../protocol/refusals.ts";
import { columnOf } from "../storage/physical.ts";
import { joined, sql, type Row } from "../storage/sql.ts";
import { columnsToRead, selectOf } from "./columns.ts";
import { NAMESPACE, type Expanding, type Parents } from "./expanding.ts";
import { found, type FoundRow } from "./found.ts";
import { readRows } from "./query.ts";
import { among } from "./sql/among.ts";
import { fromOf, singleTarget, tableScope, targetTable } from "./sql/scope.ts";
import type { ExpandItem } from "./syntax/ast.ts";

interface Single {
  readonly navigation: SingleNavigation;
  readonly item: ExpandItem;
}

export async function expandSingle(
  expanding: Expanding,
  { rows }: Parents,
  { navigation, item }: Single,
): Promise<void> {
  requirePlain(item, navigation.name);
  const { catalog } = expanding.querying;
  const cast = item.path[1]?.slice(NAMESPACE.length);
  const targets =
    cast === undefined
      ? navigation.targets.map((name) => targetTable(catalog, name))
      : [singleTarget(catalog, navigation, cast)];
  for (const table of targets) {
    const isTheirs = (row: Row) => targetName(navigation, row) === table.logicalName;
    const parents = rows.filter(({ row }) => isTheirs(row));
    const children = await readByIds(expanding, table, { parents, navigation, item });
    const shown = { table, select: selectOf(table, item.options), isSingle: true } as const;
    for (const { row, expanded } of parents) {
      const child = children.get(String(row[navigation.column.logicalName]));
      expanded.set(navigation.name, {
        ...shown,
        isReference: item.isReference,
        rows: child === undefined ? [] : [child],
        count: undefined,
        next: undefined,
      });
    }
  }
  addEmpty(rows, navigation, targets[0]);
}

function requirePlain({ written }: ExpandItem, name: string): void {
  const other = [...written.keys()].find((one) => one !== "$select" && one !== "$expand");
  if (other === undefined) return;
  throw badQuery(`'${name}' leads to one row: ${other} is not allowed in its $expand.`);
}

/** Rows that refer to nothing, or to a row of a table that was not asked for. */
function addEmpty(
  rows: readonly FoundRow[],
  { name }: SingleNavigation,
  table: Table | undefined,
): void {
  if (table === undefined) return;
  const nothing = {
    isSingle: true,
    isReference: false,
    count: undefined,
    next: undefined,
  } as const;
  for (const { expanded } of rows) {
    if (!expanded.has(name)) {
      expanded.set(name, { ...nothing, table, select: undefined, rows: [] });
    }
  }
}

/** The table that a lookup of a row refers to; undefined when it refers to nothing. */
function targetName({ column }: SingleNavigation, row: Row): string | undefined {
  if (typeof row[column.logicalName] !== "string") return undefined;
  const type = column.typeColumn === undefined ? undefined : row[column.typeColumn];
  return typeof type === "string" ? type : column.targets[0];
}

interface ById extends Single {
  readonly parents: readonly FoundRow[];
}

async function readByIds(
  expanding: Expanding,
  table: Table,
  { parents, navigation, item }: ById,
): Promise<ReadonlyMap<string, FoundRow>> {
  const { querying, asked } = expanding;
  querying.requireRead(table);
  const ids = parents.map(({ row }) => String(row[navigation.column.logicalName]));
  const scope = tableScope(querying, table);
  const select = selectOf(table, item.options);
  const id = columnOf({ logicalName: table.primaryId }, scope.name);
  const columns = columnsToRead(scope, select, item.options);
  const rows =
    ids.length === 0
      ? []
      : await readRows(
          asked.reader,
          joined(
            [
              sql(`select ${columns.text} from ${fromOf(scope)} where`, columns.values),
              among(id, [...new Set(ids)], querying.dialect),
            ],
            " ",
          ),
        );
  const children = rows.map(found);
  await expanding.expand({ table, rows: children }, item.options.expand);
  return new Map(children.map((child) => [String(child.row[table.primaryId]), child]));
}
