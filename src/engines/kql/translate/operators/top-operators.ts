import { columnsOf, maybe, part, type SyntaxNode } from "../../language/syntax.ts";
import type { Aggregate } from "../../plan/scalar.ts";
import { NO_SCOPE, use, type Table, type Translation, translateScalar } from "../translation.ts";
import { scalarType } from "../types.ts";
import { grouped } from "./column-operators.ts";
import { inputOf, scalarOver, unnamed, type Operator } from "./operator.ts";
import { taken } from "./row-operators.ts";
import { summarized } from "./summarize.ts";

/** Operators that keep the most frequent or some of the values. */
export const topOperators: Readonly<Record<string, Operator>> = {
  TopHittersOperator: translateTopHitters,
  SampleDistinctOperator: translateSampleDistinct,
};

/** Exact counts: what is approximate in a cluster need not be in one place. */
function translateTopHitters(
  node: SyntaxNode,
  input: Table | undefined,
  state: Translation,
): Table {
  const table = inputOf(input, node);
  const value = scalarOver(unnamed(part(node, "OfExpression")), table, state);
  const [key, total] = columnsOf(node);
  const aggregate = weightOf(node, table, state);
  const summary = { keys: [value], aggregates: [aggregate] };
  const names = [key?.name ?? "", total?.name ?? ""];
  const made = summarized(table, { ...summary, names }, state);
  const sum = made.columns[1];
  if (sum === undefined) throw new Error("top-hitters has two columns");
  const order = [{ value: use(sum), descending: true, nullsFirst: false }, ...made.order];
  const ordered = { ...made, order, relation: { ...made.relation, order }, isSerialized: true };
  return taken(ordered, translateScalar(part(node, "Expression"), NO_SCOPE, state), state);
}

function weightOf(node: SyntaxNode, table: Table, state: Translation): Aggregate {
  const type = scalarType(columnsOf(node)[1]?.type ?? "long");
  const by = maybe(node, "ByClause");
  if (by === undefined) return { kind: "aggregate", name: "count", args: [], type, order: [] };
  const weight = scalarOver(part(by, "Expression"), table, state);
  return { kind: "aggregate", name: "sum", args: [weight], type, order: [] };
}

function translateSampleDistinct(
  node: SyntaxNode,
  input: Table | undefined,
  state: Translation,
): Table {
  const table = inputOf(input, node);
  const value = scalarOver(unnamed(part(node, "OfExpression")), table, state);
  const column = state.newColumn(columnsOf(node)[0]?.name ?? "", value.type);
  const made = grouped(table, [value], [column]);
  return taken(made, translateScalar(part(node, "Expression"), NO_SCOPE, state), state);
}
