import type { Catalog } from "../definitions/catalog.ts";
import { isLookup, propertyName, type Table } from "../definitions/table.ts";
import type { Column } from "../definitions/types.ts";
import type { Preferences } from "../protocol/prefer.ts";
import { wantsAnnotation } from "../protocol/prefer.ts";
import type { Cell, Row } from "../storage/sql.ts";
import { optionsOf } from "./cells.ts";
import { etagOf } from "./find.ts";

const FORMATTED = "OData.Community.Display.V1.FormattedValue";
const NAVIGATION = "Microsoft.Dynamics.CRM.associatednavigationproperty";
const LOGICAL_NAME = "Microsoft.Dynamics.CRM.lookuplogicalname";

export interface Presentation {
  readonly catalog: Catalog;
  readonly preferences: Preferences;
  /** Columns to show; undefined for all of them. The primary id is always shown. */
  readonly select: readonly Column[] | undefined;
  /** Names of rows that lookups refer to, as `table:id`, where they were asked for. */
  readonly names: ReadonlyMap<string, string>;
}

/** A cell as JSON shows it. */
export function presentCell(column: Column, cell: Cell): Cell | boolean {
  if (cell === null || "isSecret" in column) return null;
  return column.type === "Boolean" ? cell === 1 : cell;
}

/** A row as it is answered, with its etag and the annotations that were asked for. */
export function presentRow(table: Table, row: Row, presentation: Presentation): object {
  const shown: Record<string, unknown> = { "@odata.etag": etagOf(row) };
  const columns = presentation.select ?? table.columns;
  for (const column of columns) annotate(table, { row, column, shown }, presentation);
  if (presentation.select !== undefined) shown[table.primaryId] = row[table.primaryId];
  return shown;
}

interface Showing {
  readonly row: Row;
  readonly column: Column;
  readonly shown: Record<string, unknown>;
}

function annotate(table: Table, showing: Showing, presentation: Presentation): void {
  const { row, column, shown } = showing;
  const cell = row[column.logicalName] ?? null;
  const name = propertyName(column);
  const { preferences } = presentation;
  if (cell !== null && preferences.annotations.length > 0) {
    const target = targetOf(column, row);
    const formatted = formattedValue(table, { column, cell, target }, presentation);
    if (formatted !== undefined && wantsAnnotation(preferences, FORMATTED)) {
      shown[`${name}@${FORMATTED}`] = formatted;
    }
    if (target !== undefined && wantsAnnotation(preferences, NAVIGATION)) {
      shown[`${name}@${NAVIGATION}`] = navigationTo(table, column, target);
    }
    if (target !== undefined && wantsAnnotation(preferences, LOGICAL_NAME)) {
      shown[`${name}@${LOGICAL_NAME}`] = target;
    }
  }
  shown[name] = presentCell(column, cell);
}

/** The table of the row that a lookup refers to. */
export function targetOf(column: Column, row: Row): string | undefined {
  if (!isLookup(column)) return undefined;
  const said = column.typeColumn === undefined ? undefined : row[column.typeColumn];
  return typeof said === "string" ? said : column.targets[0];
}

function navigationTo(table: Table, column: Column, target: string): string {
  const { references } = table.definition;
  const own = references.find((one) => one.column === column.logicalName && one.target === target);
  return own?.navigationProperty ?? column.logicalName;
}

interface Formatting {
  readonly column: Column;
  readonly cell: number | string;
  readonly target: string | undefined;
}

/** As a person reads it; undefined for what reads as it is. */
function formattedValue(
  table: Table,
  { column, cell, target }: Formatting,
  { names }: Presentation,
): string | undefined {
  if (isLookup(column)) return names.get(`${target}:${cell}`);
  if (column.type === "Boolean") return cell === 1 ? column.trueLabel : column.falseLabel;
  if (column.type === "DateTime") {
    return column.format === "DateOnly" ? formattedDay(cell) : formattedTime(cell);
  }
  if (column.type === "Integer" || column.type === "BigInt") {
    return WHOLE.format(Number(cell));
  }
  if ("precision" in column) return formattedDecimal(Number(cell), column.type === "Money");
  return optionsOf(table, column).find(({ value }) => value === cell)?.label;
}

// Formatters are kept: making one takes a hundred times as long as using it.
const WHOLE = new Intl.NumberFormat("en-US");
const MONEY = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const DECIMAL = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 10,
});
const DAY = new Intl.DateTimeFormat("en-US", { timeZone: "UTC" });
const TIME = new Intl.DateTimeFormat("en-US", {
  timeZone: "UTC",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
});

function formattedDecimal(value: number, isMoney: boolean): string {
  return isMoney ? `$${MONEY.format(value)}` : DECIMAL.format(value);
}

function formattedDay(cell: number | string): string {
  return DAY.format(new Date(String(cell)));
}

function formattedTime(cell: number | string): string {
  return TIME.format(new Date(String(cell)))
    .replaceAll("\u202f", " ")
    .replace(",", "");
}
