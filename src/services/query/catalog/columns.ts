import type { KqlType } from "#engines/kql/types.ts";
import type { Catalog } from "./catalog.ts";
import { CatalogError, notFound } from "./catalog-error.ts";
import type { CatalogColumn, CatalogTable } from "./catalog-schema.ts";
import { checkName } from "./names.ts";
import { checkColumns, newColumns } from "./stored-tables.ts";
import { edit, type TableName } from "./tables.ts";

export interface ColumnName extends TableName {
  readonly column: string;
}

/** Drops columns with their data. */
export async function dropColumns(
  catalog: Catalog,
  {
    columns,
    ifExists = false,
    ...name
  }: TableName & {
    readonly columns: readonly string[];
    readonly ifExists?: boolean;
  },
): Promise<CatalogTable> {
  return await edit(catalog, name, (table) => {
    if (!ifExists) for (const column of columns) columnOf(table, column);
    const kept = table.columns.filter((column) => !columns.includes(column.name));
    checkColumns(kept);
    return { ...table, columns: kept };
  });
}

/** Gives columns new names, all at once: two may swap theirs. */
export async function renameColumns(
  catalog: Catalog,
  name: TableName,
  renames: readonly { readonly from: string; readonly to: string }[],
): Promise<CatalogTable> {
  for (const { to } of renames) checkName("column", to);
  return await edit(catalog, name, (table) => {
    const names = new Map(renames.map(({ from, to }) => [columnOf(table, from).id, to]));
    const columns = table.columns.map((column) => ({
      ...column,
      name: names.get(column.id) ?? column.name,
    }));
    checkColumns(columns);
    return { ...table, columns };
  });
}

/** Gives a column another type. What it held was of the old type, and is null from now on. */
export async function alterColumnType(
  catalog: Catalog,
  { column: name, type, ...table }: ColumnName & { readonly type: KqlType },
): Promise<CatalogTable> {
  return await edit(catalog, table, (before) => {
    const existing = columnOf(before, name);
    if (existing.type === type) return before;
    const [added] = newColumns([{ name, type }], before.nextColumnId);
    if (added === undefined) return before;
    const changed = { ...added, docString: existing.docString };
    return { ...before, columns: before.columns.map((one) => (one === existing ? changed : one)) };
  });
}

/** Describes columns; with `replace`, those that are not named lose their text. */
export async function describeColumns(
  catalog: Catalog,
  {
    docStrings,
    replace = false,
    ...name
  }: TableName & {
    readonly docStrings: Readonly<Record<string, string>>;
    readonly replace?: boolean;
  },
): Promise<CatalogTable> {
  return await edit(catalog, name, (table) => {
    for (const column of Object.keys(docStrings)) columnOf(table, column);
    const columns = table.columns.map((column) => ({
      ...column,
      docString: docStrings[column.name] ?? (replace ? "" : column.docString),
    }));
    return { ...table, columns };
  });
}

function columnOf(table: CatalogTable, name: string): CatalogColumn {
  const column = table.columns.find((one) => one.name === name);
  if (column === undefined) throw missing(table, name);
  return column;
}

function missing(table: CatalogTable, name: string): CatalogError {
  const error = notFound("Column", name);
  return new CatalogError(error.kind, `${error.message.slice(0, -1)} in table '${table.name}'.`);
}
