import type { KqlColumn, KqlValue } from "../types.ts";
import type { Scalar } from "./scalar.ts";

/** A column of a relation; ids are unique in a plan, names are those of the language. */
export interface Column extends KqlColumn {
  readonly id: number;
}

export interface SortKey {
  readonly value: Scalar;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  /** Rows are made in this order, so that nothing has to sort them. */
  readonly isNatural?: boolean;
}

interface Base {
  readonly columns: readonly Column[];
  /** The order in which the rows stand, while an operator has given one. */
  readonly order: readonly SortKey[];
}

/** A table of rows in a plan: plain data, of no SQL dialect. */
export type Relation =
  | StoredTable
  | Values
  | Range
  | Project
  | Filter
  | Summarize
  | Take
  | First
  | Join
  | Union
  | Unnest
  | Shared
  | Computed;

/** A table of the database; `stored` names its columns in the order of `columns`. */
export interface StoredTable extends Base {
  readonly kind: "table";
  readonly sqlName: string;
  readonly stored: readonly string[];
}

export interface Values extends Base {
  readonly kind: "values";
  readonly rows: readonly (readonly KqlValue[])[];
}

/** One row for every step from `from` to `to`, both included. */
export interface Range extends Base {
  readonly kind: "range";
  readonly from: Scalar;
  readonly to: Scalar;
  readonly step: Scalar;
}

/** `values[i]` is the new value of `columns[i]`. Without an input: one row. */
export interface Project extends Base {
  readonly kind: "project";
  readonly input: Relation | undefined;
  readonly values: readonly Scalar[];
}

export interface Filter extends Base {
  readonly kind: "filter";
  readonly input: Relation;
  readonly condition: Scalar;
}

/** Groups by `keys`; `columns` are the keys first, then the aggregates. */
export interface Summarize extends Base {
  readonly kind: "summarize";
  readonly input: Relation;
  readonly keys: readonly Scalar[];
  readonly aggregates: readonly Scalar[];
}

/** The first rows in the order of `order` (any rows without one). */
export interface Take extends Base {
  readonly kind: "take";
  readonly input: Relation;
  readonly count: Scalar;
}

/** Of the rows with equal keys, the first in the order of `order`. */
export interface First extends Base {
  readonly kind: "first";
  readonly input: Relation;
  readonly keys: readonly Scalar[];
}

export type JoinKind = "inner" | "left" | "right" | "full" | "semi" | "anti" | "cross";

/** `columns` are those of the left, then those of the right (for semi and anti: the left's). */
export interface Join extends Base {
  readonly kind: "join";
  readonly joinKind: JoinKind;
  readonly left: Relation;
  readonly right: Relation;
  readonly condition: Scalar | undefined;
}

/** Rows of all inputs; every input has as many columns, of the same types. */
export interface Union extends Base {
  readonly kind: "union";
  readonly inputs: readonly Relation[];
}

/**
 * One row for every element of the arrays, side by side; the shorter ones give null. `columns` are
 * the input's, then one per array, then the index from 0.
 */
export interface Unnest extends Base {
  readonly kind: "unnest";
  readonly input: Relation;
  readonly arrays: readonly Scalar[];
  readonly limit: Scalar | undefined;
  /** Rows without any element stay, with nulls. */
  readonly keepsEmpty: boolean;
}

/** A relation that is computed once, however often it is used. `columns` renames its columns. */
export interface Shared extends Base {
  readonly kind: "shared";
  readonly of: Relation;
  readonly isMaterialized: boolean;
}

/** Rows made in JavaScript from the rows of the inputs, before the rest of the query runs. */
export interface Computed extends Base {
  readonly kind: "computed";
  readonly inputs: readonly Relation[];
  readonly compute: Compute;
}

export type Rows = AsyncIterable<readonly (readonly KqlValue[])[]>;

/** Chunks of rows in (one stream per input), chunks of rows out, in the columns' types. */
export type Compute = (inputs: readonly Rows[]) => Rows;
