import type { Table } from "../definitions/table.ts";
import type { Column } from "../definitions/types.ts";
import { badQuery } from "./refusals.ts";

/** The columns of `$select`; undefined for all of them. */
export function parseSelect(table: Table, text: string | undefined): readonly Column[] | undefined {
  if (text === undefined || text.trim() === "" || text.trim() === "*") return undefined;
  const names = text.split(",").map((name) => name.trim());
  return [...new Set(names)].flatMap((name) => {
    if (table.navigation(name) !== undefined && table.column(name) === undefined) return [];
    return requireProperty(table, name);
  });
}

/** The column that a query names by what it is called in answers, or by its logical name. */
export function requireProperty(table: Table, name: string): Column {
  const column = table.property(name) ?? table.column(name);
  if (column !== undefined) return column;
  throw badQuery(
    `Could not find a property named '${name}' on type ` +
      `'Microsoft.Dynamics.CRM.${table.logicalName}'.`,
  );
}
