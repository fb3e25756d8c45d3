import type { SortKey } from "../../plan/relation.ts";
import type { Window } from "../../plan/scalar.ts";
import { groupKeys, use, withHidden, type Table, type Translation } from "../translation.ts";

/**
 * The table with a hidden number per row, by which it is ordered from here on: rows with equal
 * sort keys keep one order, whatever looks at them.
 */
export function withOrdinal(table: Table, state: Translation): Table {
  if (!table.isSerialized || isNumbered(table)) return table;
  return numbered(table, state);
}

/** The same for rows in whatever order they come. */
export function numbered(table: Table, state: Translation): Table {
  const column = state.newColumn(ORDINAL, "long");
  const value: Window = {
    kind: "window",
    name: "row_number",
    args: [],
    type: "long",
    partition: groupKeys(table),
    order: table.order,
  };
  const made = withHidden(table, [{ column, value }]);
  const order: SortKey[] = [{ value: use(column), descending: false, nullsFirst: false }];
  return { ...made, relation: { ...made.relation, order }, order, isSerialized: true };
}

/** Name of the hidden column; no column of the language has it. */
export const ORDINAL = "$ordinal";

/** Whether a hidden number gives the order. */
export function isNumbered(table: Table): boolean {
  const [only] = table.order;
  if (table.order.length !== 1 || only?.value.kind !== "column") return false;
  const { id } = only.value;
  return table.relation.columns.some((column) => column.id === id && column.name === ORDINAL);
}
