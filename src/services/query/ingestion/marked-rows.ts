import type { AppendTarget } from "#engines/duckdb/connection.ts";
import type { KqlValue } from "#engines/kql/types.ts";
import { physicalColumns, sqlTable, type CatalogTable } from "../catalog/catalog-schema.ts";

type Rows = readonly (readonly KqlValue[])[];

/** Rows with the values of the hidden columns in front. */
export function markedRows(rows: Rows, extent: string, ingested: bigint): Rows {
  const hidden: readonly KqlValue[] = [extent, ingested];
  return rows.map((row) => hidden.concat(row));
}

/** Where such rows go. */
export function appendTarget(table: CatalogTable): AppendTarget {
  const types = physicalColumns(table).map(({ type }) => type);
  return { schema: "main", table: sqlTable(table), types: ["guid", "datetime", ...types] };
}
