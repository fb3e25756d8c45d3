import type { Column, Compute, Relation } from "../plan/relation.ts";
import type { KqlColumn } from "../types.ts";

/** Rows made in JavaScript before a statement runs, kept in a temporary table. */
export interface Step {
  /** Name of the temporary table, for SQL. */
  readonly table: string;
  readonly inputs: readonly { readonly sql: string; readonly columns: readonly KqlColumn[] }[];
  readonly columns: readonly KqlColumn[];
  readonly compute: Compute;
}

/** One tabular result as SQL: the steps in their order, then one of the two selects. */
export interface Statement {
  readonly steps: readonly Step[];
  /** Each row as the JSON text of an array, as answers carry it. */
  readonly texts: string;
  /** The columns themselves. */
  readonly rows: string;
}

/** Writes plans as SQL of one engine. Nothing above knows which. */
export interface Dialect {
  /** `columns` picks and orders what the result shows. */
  readonly statement: (relation: Relation, columns: readonly Column[]) => Statement;
  /** The statement with the moment (ticks) that `now()` stands for. */
  readonly at: (statement: Statement, now: bigint) => Statement;
}
