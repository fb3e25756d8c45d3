import type { Table } from "../definitions/table.ts";
import type { Column } from "../definitions/types.ts";
import type { Row } from "../storage/sql.ts";

/** A row with the rows of `$expand`. */
export interface FoundRow {
  readonly row: Row;
  /** By the names of navigation properties. */
  readonly expanded: Map<string, Expanded>;
}

/** Rows of one table as a query wants to see them. */
export interface FoundRows {
  readonly table: Table;
  /** Undefined for all columns. */
  readonly select: readonly Column[] | undefined;
  readonly rows: readonly FoundRow[];
}

/** What one navigation property of one row leads to. */
export interface Expanded extends FoundRows {
  readonly isSingle: boolean;
  /** Only where the rows are. */
  readonly isReference: boolean;
  /** Of all rows there are; undefined when nobody asked. */
  readonly count: number | undefined;
  /** The query that has the rows that come after these. */
  readonly next: ReadonlyMap<string, string> | undefined;
}

export function found(row: Row): FoundRow {
  return { row, expanded: new Map() };
}
