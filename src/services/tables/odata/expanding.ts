import type { Table } from "../definitions/table.ts";
import type { FoundRow } from "./found.ts";
import type { Asked } from "./query.ts";
import type { Querying } from "./sql/scope.ts";
import type { ExpandItem } from "./syntax/ast.ts";

/** A query whose rows get more rows. */
export interface Expanding {
  readonly querying: Querying;
  readonly asked: Asked;
  /** Adds rows to the rows that were added. */
  readonly expand: (parents: Parents, items: readonly ExpandItem[]) => Promise<void>;
}

/** Rows that lead to others. */
export interface Parents {
  readonly table: Table;
  readonly rows: readonly FoundRow[];
}

/** What names of tables begin with in paths. */
export const NAMESPACE = "Microsoft.Dynamics.CRM.";
