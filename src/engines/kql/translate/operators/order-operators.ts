import { kindOf, maybe, part, parts, textOf, type SyntaxNode } from "../../language/syntax.ts";
import type { SortKey } from "../../plan/relation.ts";
import type { Scalar } from "../../plan/scalar.ts";
import { hoistWindows } from "../hoist.ts";
import {
  NO_SCOPE,
  use,
  withHidden,
  type NewValue,
  type Table,
  type Translation,
  translateScalar,
} from "../translation.ts";
import { inputOf, ready, scalarOver } from "./operator.ts";
import type { Operator } from "./operator.ts";
import { taken } from "./row-operators.ts";

/** Operators that give rows an order. */
export const orderOperators: Readonly<Record<string, Operator>> = {
  SortOperator: (node, input, state) =>
    sorted(inputOf(input, node), parts(node, "Expressions"), state),
  TopOperator: (node, input, state) => {
    const ordered = sorted(inputOf(input, node), [part(node, "ByExpression")], state);
    return taken(ordered, translateScalar(part(node, "Expression"), NO_SCOPE, state), state);
  },
};

interface WantedKey {
  readonly node: SyntaxNode;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** The table in the order of these expressions; from the greatest down, unless they say `asc`. */
function sorted(table: Table, keys: readonly SyntaxNode[], state: Translation): Table {
  const wanted = keys.map(wantedKey);
  const start = ready(table, keys, state);
  const values = wanted.map(({ node }) => scalarOver(node, start, state));
  const hoisted = hoistWindows(start, values, state, false);
  const made: NewValue[] = [];
  const order = wanted.map((key, index): SortKey => {
    const value = hoisted.scalars[index] ?? values[index];
    if (value === undefined) throw new Error("Each key has a value");
    return {
      value: asColumn(value, made, state),
      descending: key.descending,
      nullsFirst: key.nullsFirst,
    };
  });
  const full = withHidden(hoisted.table, made);
  return { ...full, relation: { ...full.relation, order }, order, isSerialized: true };
}

function asColumn(value: Scalar, made: NewValue[], state: Translation): Scalar {
  if (value.kind === "column") return value;
  const column = state.newColumn("", value.type);
  made.push({ column, value });
  return use(column);
}

/** Nulls are the least of all values, unless the key says where they go. */
function wantedKey(key: SyntaxNode): WantedKey {
  if (kindOf(key) !== "OrderedExpression")
    return { node: key, descending: true, nullsFirst: false };
  const ordering = textOf(part(key, "Ordering")).toLowerCase();
  const descending = !/\basc\b/.test(ordering);
  const nulls = /nulls\s+(?<place>first|last)/.exec(ordering)?.groups?.["place"];
  const nullsFirst = nulls === undefined ? !descending : nulls === "first";
  const node = maybe(key, "Expression") ?? key;
  return { node, descending, nullsFirst };
}
