import { part, parts } from "../../language/syntax.ts";
import { call, cast, literal, partsOf, type Scalar } from "../../plan/scalar.ts";
import { hoistWindows } from "../hoist.ts";
import {
  groupKeys,
  NO_SCOPE,
  tableOfRelation,
  type Table,
  type Translation,
  translateScalar,
} from "../translation.ts";
import { visualizationOf } from "../visualization.ts";
import { inputOf, ready, scalarOver } from "./operator.ts";
import type { Operator } from "./operator.ts";
import { numbered, withOrdinal } from "./serialize.ts";
import { extended } from "./column-operators.ts";

/** Operators that pick rows, or leave them as they are. */
export const rowOperators: Readonly<Record<string, Operator>> = {
  FilterOperator: (node, input, state) => {
    const table = ready(inputOf(input, node), [node], state);
    return filtered(table, scalarOver(part(node, "Condition"), table, state), state);
  },
  TakeOperator: (node, input, state) =>
    taken(inputOf(input, node), translateScalar(part(node, "Expression"), NO_SCOPE, state), state),
  SampleOperator: (node, input, state) =>
    taken(inputOf(input, node), translateScalar(part(node, "Expression"), NO_SCOPE, state), state),
  CountOperator: (node, input, state) => counted(inputOf(input, node), state),
  SerializeOperator: (node, input, state) => {
    const table = inputOf(input, node);
    const serialized = table.isSerialized ? withOrdinal(table, state) : numbered(table, state);
    return parts(node, "Expressions").length === 0 ? serialized : extended(node, serialized, state);
  },
  AsOperator: (node, input, state) => {
    const table = inputOf(input, node);
    const symbol = part(node, "Name").ReferencedSymbol;
    if (symbol !== null && symbol !== undefined)
      state.bindings.set(symbol, { kind: "table", table });
    return table;
  },
  RenderOperator: (node, input, state) => {
    state.visualization = visualizationOf(node);
    return inputOf(input, node);
  },
  ConsumeOperator: (node, input, state) => {
    const table = inputOf(input, node);
    return filtered({ ...table, columns: [] }, literal("bool", false), state);
  },
};

/** The rows for which the condition holds. */
export function filtered(table: Table, condition: Scalar, state: Translation): Table {
  const hoisted = hoistWindows(table, [cast(condition, "bool")], state, false);
  const [test = condition] = hoisted.scalars;
  const { relation } = hoisted.table;
  // To look into a set is a join for the SQL engine, after which rows come in any order.
  const order = usesSet(test)
    ? hoisted.table.order.map((key) => ({ ...key, isNatural: false }))
    : hoisted.table.order;
  return {
    ...hoisted.table,
    order,
    relation: {
      kind: "filter",
      input: relation,
      condition: test,
      columns: relation.columns,
      order,
    },
  };
}

function usesSet(scalar: Scalar): boolean {
  return scalar.kind === "subquery" || partsOf(scalar).some(usesSet);
}

/** The first rows of the table, or of each group. */
export function taken(table: Table, count: Scalar, state: Translation): Table {
  const limit = cast(count, "long");
  if (table.group.length > 0) {
    const position: Scalar = {
      kind: "window",
      name: "row_number",
      args: [],
      type: "long",
      partition: groupKeys(table),
      order: table.order,
    };
    return filtered(table, call("<=", "bool", position, limit), state);
  }
  const { relation, order } = table;
  return {
    ...table,
    relation: { kind: "take", input: relation, count: limit, columns: relation.columns, order },
  };
}

function counted(table: Table, state: Translation): Table {
  const column = state.newColumn("Count", "long");
  const count: Scalar = { kind: "aggregate", name: "count", args: [], type: "long", order: [] };
  const made = tableOfRelation({
    kind: "summarize",
    input: table.relation,
    keys: groupKeys(table),
    aggregates: [count],
    columns: [...table.group, column],
    order: [],
  });
  return { ...made, columns: [column], group: table.group };
}
