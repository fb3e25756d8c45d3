import { isNumbered, ORDINAL } from "./serialize.ts";
import {
  columnsOf,
  kindOf,
  maybe,
  nameOf,
  parts,
  walk,
  type SyntaxNode,
} from "../../language/syntax.ts";
import type { Relation } from "../../plan/relation.ts";
import { cast, type Scalar } from "../../plan/scalar.ts";
import { aggregateColumns, isAggregate } from "../aggregate-calls.ts";
import { hoistWindows } from "../hoist.ts";
import { use, type NewValue, type Table, type Translation } from "../translation.ts";
import { scalarType } from "../types.ts";
import { inputOf, ready, scalarOver, unnamed } from "./operator.ts";
import type { Operator } from "./operator.ts";

export const summarizeOperators: Readonly<Record<string, Operator>> = {
  SummarizeOperator: translateSummarize,
};

function translateSummarize(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const by = maybe(node, "ByClause");
  const keyNodes = by === undefined ? [] : parts(by, "Expressions");
  const aggregateNodes = parts(node, "Aggregates");
  const before = ready(inputOf(input, node), [...keyNodes, ...aggregateNodes], state);
  const keys = keyNodes.map((one) => scalarOver(unnamed(one), before, state));
  const keyNames = new Set(keyNodes.map(plainName));
  const aggregates = aggregateNodes.flatMap((one) => {
    return aggregateValues(unnamed(one), before, state, keyNames);
  });
  const hoisted = hoistWindows(before, [...keys, ...aggregates], state, false);
  const bound = columnsOf(node);
  const values = hoisted.scalars.map((value, index) => {
    const type = bound[index]?.type ?? "unknown";
    return type === "unknown" ? value : cast(value, scalarType(type));
  });
  return summarized(
    hoisted.table,
    {
      keys: values.slice(0, keys.length),
      aggregates: values.slice(keys.length),
      names: bound.map(({ name }) => name),
    },
    state,
  );
}

function plainName(node: SyntaxNode): string {
  const expression = unnamed(node);
  return kindOf(expression) === "NameReference" ? nameOf(expression) : "";
}

/** An aggregate's results, or one value that is computed from aggregates. */
function aggregateValues(
  node: SyntaxNode,
  table: Table,
  state: Translation,
  keyNames: ReadonlySet<string>,
): Scalar[] {
  if (kindOf(node) === "FunctionCallExpression" && isAggregate(node)) {
    return aggregateColumns(node, { table }, state, keyNames);
  }
  return [scalarOver(node, table, state)];
}

/** Whether an aggregate stands somewhere in the expression. */
export function hasAggregate(node: SyntaxNode): boolean {
  for (const one of walk(node)) if (isAggregate(one)) return true;
  return false;
}

export interface Summary {
  readonly keys: readonly Scalar[];
  readonly aggregates: readonly Scalar[];
  /** Of the keys, then of the aggregates. */
  readonly names: readonly string[];
}

/** The table grouped by the keys, within each of its groups. */
export function summarized(table: Table, summary: Summary, state: Translation): Table {
  const { keys, aggregates, names } = summary;
  const columns = [...keys, ...aggregates].map((value, index) => {
    return state.newColumn(names[index] ?? "", value.type);
  });
  const first = firstSeen(table, state);
  const relation: Relation = {
    kind: "summarize",
    input: table.relation,
    keys: [...table.group.map(use), ...keys],
    aggregates: [...aggregates, ...first.map(({ value }) => value)],
    columns: [...table.group, ...columns, ...first.map(({ column }) => column)],
    order: first.map(({ column }) => ({
      value: use(column),
      descending: false,
      nullsFirst: false,
    })),
  };
  return { relation, columns, order: relation.order, isSerialized: false, group: table.group };
}

/** Where rows are numbered, groups stand in the order in which they first appear. */
function firstSeen(table: Table, state: Translation): NewValue[] {
  const [key] = table.order;
  if (key === undefined || !isNumbered(table)) return [];
  const column = state.newColumn(ORDINAL, "long");
  const value: Scalar = {
    kind: "aggregate",
    name: "min",
    args: [key.value],
    type: "long",
    order: [],
  };
  return [{ column, value }];
}
