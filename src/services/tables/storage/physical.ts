import type { Table } from "../definitions/table.ts";
import type { Column, ColumnType } from "../definitions/types.ts";
import { quoted, sql, type Dialect, type Row, type Sql, type Writer } from "./sql.ts";

/** Where the rows of a table are: `retained` are those put away for the long term. */
export type Place = (typeof PLACES)[number];

const PLACES = ["live", "retained"] as const;

/** Kept with a retained row: when it was put away, by which operation, and when for good. */
export const RETAINED_ON = "retained_on";
export const RETAINED_BY = "retained_by";
export const PURGED_ON = "purged_on";

/** The SQL name of a table's rows, quoted. */
export function rowsOf(table: Pick<Table, "logicalName">, place: Place = "live"): string {
  return quoted(bareName(table, place));
}

/** The SQL name of a column, quoted: its logical name. */
export function columnOf(column: Pick<Column, "logicalName">, alias?: string): string {
  const name = quoted(column.logicalName);
  return alias === undefined ? name : `${alias}.${name}`;
}

/**
 * How columns are kept: texts and ids as text (ids in lower case, times in UTC as
 * `2026-01-31T10:20:30Z`, dates as `2026-01-31`), numbers as numbers, booleans as 0 and 1.
 * Texts compare without regard to case: by their collation in SQLite, by `lower` in Postgres.
 */
function sqlTypeOf({ type }: Column, dialect: Dialect): string {
  if (FRACTIONS.has(type)) return dialect === "sqlite" ? "real" : "double precision";
  if (WHOLE_NUMBERS.has(type)) return dialect === "sqlite" ? "integer" : "bigint";
  const isText = type === "String" || type === "Memo";
  return isText && dialect === "sqlite" ? "text collate nocase" : "text";
}

const FRACTIONS: ReadonlySet<ColumnType> = new Set(["Decimal", "Double", "Money"]);
const WHOLE_NUMBERS: ReadonlySet<ColumnType> = new Set([
  "BigInt",
  "Boolean",
  "Integer",
  "Picklist",
  "State",
  "Status",
]);

/** Makes whatever of a table is not there yet, and leaves what is there as it is. */
export async function ensurePhysical(writer: Writer, table: Table): Promise<void> {
  for (const place of PLACES) {
    const known = new Set(await columnsOf(writer, bareName(table, place)));
    if (known.size === 0) await writer.run(createTable(writer.dialect, table, place));
    else await addColumns(writer, table, { place, known });
  }
  for (const statement of indexesOf(writer.dialect, table)) await writer.run(statement);
}

async function addColumns(
  writer: Writer,
  table: Table,
  { place, known }: { readonly place: Place; readonly known: ReadonlySet<string> },
): Promise<void> {
  for (const column of table.columns) {
    if (known.has(column.logicalName)) continue;
    const added = `${columnOf(column)} ${sqlTypeOf(column, writer.dialect)}`;
    await writer.run(sql(`alter table ${rowsOf(table, place)} add column ${added}`));
  }
}

/** Removes a table with all its rows. */
export async function dropPhysical(writer: Writer, table: Table): Promise<void> {
  for (const place of PLACES) {
    await writer.run(sql(`drop table if exists ${rowsOf(table, place)}`));
  }
}

function bareName({ logicalName }: Pick<Table, "logicalName">, place: Place): string {
  return `${place === "live" ? "rows" : "kept"}_${logicalName}`;
}

async function columnsOf(writer: Writer, name: string): Promise<readonly string[]> {
  const { dialect } = writer;
  const found: readonly Row[] = await writer.rows(
    dialect === "sqlite"
      ? sql("select name from pragma_table_info(?)", [name])
      : sql(
          "select column_name as name from information_schema.columns " +
            "where table_schema = current_schema() and table_name = ?",
          [name],
        ),
  );
  return found.map((row) => String(row["name"]));
}

function createTable(dialect: Dialect, table: Table, place: Place): Sql {
  const columns = table.columns.map((column) => {
    const isKey = column.logicalName === table.primaryId;
    return `${columnOf(column)} ${sqlTypeOf(column, dialect)}${isKey ? " primary key" : ""}`;
  });
  if (place === "retained") {
    columns.push(...[RETAINED_ON, RETAINED_BY, PURGED_ON].map((name) => `${name} text`));
  }
  const strict = dialect === "sqlite" ? " strict" : "";
  return sql(`create table ${rowsOf(table, place)} (${columns.join(", ")})${strict}`);
}

/** For keys, for following a reference backwards where deleting needs it, and for changes. */
function indexesOf(dialect: Dialect, table: Table): readonly Sql[] {
  const { logicalName, definition } = table;
  const followed = definition.references
    .filter(({ cascade }) => cascade.delete !== "NoCascade")
    .map(({ column }) => column);
  const plain = [...new Set(followed)];
  if (definition.hasChangeTracking) plain.push("versionnumber");
  const make = (kind: string, name: string, columns: string) =>
    sql(
      `create ${kind} if not exists ${quoted(`${kind === "index" ? "ix" : "uq"}_${name}`)} ` +
        `on ${rowsOf(table)} (${columns})`,
    );
  return [
    ...plain.map((column) => make("index", `${logicalName}_${column}`, quoted(column))),
    ...table.keys.map((key) => {
      const columns = key.columns.map((name) => comparedColumn(table, name, dialect));
      return make("unique index", `${logicalName}_${key.name}`, columns.join(", "));
    }),
  ];
}

function comparedColumn(table: Table, name: string, dialect: Dialect): string {
  const column = table.column(name);
  if (column === undefined) throw new Error(`${table.logicalName} has no column ${name}.`);
  return compared(column, dialect);
}

/** A column as it is compared with a value: texts without regard to case. */
export function compared(column: Column, dialect: Dialect, alias?: string): string {
  const name = columnOf(column, alias);
  const isText = column.type === "String" || column.type === "Memo";
  return isText && dialect === "postgres" ? `lower(${name})` : name;
}
