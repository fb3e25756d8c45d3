import { isNumbered, ORDINAL } from "./serialize.ts";
import { columnsOf, kindOf, maybe, nameOf, parts, type SyntaxNode } from "../../language/syntax.ts";
import type { Relation } from "../../plan/relation.ts";
import { cast, mapScalar, type Scalar } from "../../plan/scalar.ts";
import { aggregateColumns, isAggregate } from "../aggregate-calls.ts";
import { hoistWindows } from "../hoist.ts";
import { projected, use, type NewValue, type Table, type Translation } from "../translation.ts";
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

export interface Summary {
  readonly keys: readonly Scalar[];
  readonly aggregates: readonly Scalar[];
  /** Of the keys, then of the aggregates. */
  readonly names: readonly string[];
}

/** The table grouped by the keys, within each of its groups. */
export function summarized(table: Table, summary: Summary, state: Translation): Table {
  const { keys, names } = summary;
  const made: NewValue[] = [];
  const values = summary.aggregates.map((one) => asColumns(one, made, state));
  const keyColumns = keys.map((value, index) => state.newColumn(names[index] ?? "", value.type));
  const first = firstSeen(table, state);
  const all = [...made, ...first];
  const relation: Relation = {
    kind: "summarize",
    input: table.relation,
    keys: [...table.group.map(use), ...keys],
    aggregates: all.map(({ value }) => value),
    columns: [...table.group, ...keyColumns, ...all.map(({ column }) => column)],
    order: first.map(({ column }) => ({
      value: use(column),
      descending: false,
      nullsFirst: false,
    })),
  };
  const { order } = relation;
  const grouped = { relation, columns: [], order, isSerialized: false, group: table.group };
  return projected(grouped, [
    ...keyColumns.map((column) => ({ column, value: use(column) })),
    ...values.map((value, index) => {
      const name = names[keys.length + index] ?? "";
      return { column: state.newColumn(name, value.type), value };
    }),
  ]);
}

/** What is computed from aggregates is computed after them, from columns. */
function asColumns(value: Scalar, made: NewValue[], state: Translation): Scalar {
  if (value.kind !== "aggregate") return mapScalar(value, (one) => asColumns(one, made, state));
  const column = state.newColumn("", value.type);
  made.push({ column, value });
  return use(column);
}

/** Where rows are numbered, groups stand in the order in which they first appear. */
function firstSeen(table: Table, state: Translation): NewValue[] {
  const [key] = table.order;
  if (key === undefined || !isNumbered(table)) return [];
  const column = state.newColumn(ORDINAL, "long");
  const args = [key.value];
  return [{ column, value: { kind: "aggregate", name: "min", args, type: "long", order: [] } }];
}
