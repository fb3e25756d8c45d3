import { typeLiteral } from "../call-parts.ts";
import { arranged, renewed } from "../table-shapes.ts";
import { columnsOf, maybe, part, parts, type SyntaxNode } from "../../language/syntax.ts";
import type { Column, Relation } from "../../plan/relation.ts";
import { call, cast } from "../../plan/scalar.ts";
import {
  NO_SCOPE,
  tableOfRelation,
  use,
  type NewValue,
  type Table,
  type Translation,
  translateScalar,
  translateTabular,
} from "../translation.ts";
import { givenName, inputOf, parameterText, ready, scalarOver, unnamed } from "./operator.ts";
import type { Operator } from "./operator.ts";
import { numbered } from "./serialize.ts";
import { replaced } from "./column-operators.ts";

/** Operators that make several rows of one. */
export const multiValueOperators: Readonly<Record<string, Operator>> = {
  MvExpandOperator: (node, input, state) => {
    const table = inputOf(input, node);
    const expanded = expand(node, table, state);
    return arranged(expanded, columnsOf(node), state);
  },
  MvApplyOperator: translateMvApply,
};

/** The rows with the elements of the arrays in place of the arrays. */
function expand(node: SyntaxNode, input: Table, state: Translation): Table {
  const items = parts(node, "Expressions");
  const table = ready(input, items, state);
  const asPairs = (parameterText(node, "bagexpansion") ?? parameterText(node, "kind")) === "array";
  const arrays = items.map((item) => {
    const value = cast(scalarOver(unnamed(part(item, "Expression")), table, state), "dynamic");
    return asPairs ? call("bag_pairs", "dynamic", value) : value;
  });
  const limitNode = maybe(node, "RowLimitClause");
  const limit = limitNode === undefined ? undefined : part(limitNode, "RowLimit");
  const made = arrays.map(() => state.newColumn("", "dynamic"));
  const index = state.newColumn("", "long");
  const relation: Relation = {
    kind: "unnest",
    input: table.relation,
    arrays,
    limit: limit === undefined ? undefined : translateScalar(limit, NO_SCOPE, state),
    keepsEmpty: true,
    columns: [...table.relation.columns, ...made, index],
    order: table.order,
  };
  const values = items.map((item, at): NewValue => itemValue(item, made[at], node, state));
  const indexName = parameterText(node, "with_itemindex");
  if (indexName !== undefined) {
    const column = state.newColumn(indexName, "long");
    values.push({ column, value: use(index) });
  }
  return replaced(withElementOrder({ ...table, relation }, index), values, [], state);
}

/** Elements stand in their order within each row, where rows have one. */
function withElementOrder(table: Table, index: Column): Table {
  if (table.order.length === 0) return table;
  const isNatural = table.order.every((key) => key.isNatural === true);
  const key = { value: use(index), descending: false, nullsFirst: false, isNatural };
  const order = [...table.order, key];
  return { ...table, order, relation: { ...table.relation, order } };
}

function itemValue(
  item: SyntaxNode,
  column: Column | undefined,
  node: SyntaxNode,
  state: Translation,
): NewValue {
  if (column === undefined) throw new Error("Each array has a column");
  const expression = part(item, "Expression");
  const name = givenName(expression) ?? autoName(item, node);
  const clause = maybe(item, "ToTypeOf");
  const type = clause === undefined ? "dynamic" : typeLiteral(part(clause, "TypeOf"));
  return { column: state.newColumn(name, type), value: cast(use(column), type) };
}

/** The binder names what has no name; such columns are the last of the node's, in order. */
function autoName(item: SyntaxNode, node: SyntaxNode): string {
  const items = parts(node, "Expressions");
  const unnamedItems = items.filter((one) => givenName(part(one, "Expression")) === undefined);
  const given = new Set(items.map((one) => givenName(part(one, "Expression"))));
  const names = columnsOf(node)
    .map(({ name }) => name)
    .filter((name) => !given.has(name));
  const position = unnamedItems.indexOf(item);
  return names[names.length - unnamedItems.length + position] ?? "";
}

/**
 * `mv-apply`: the subquery runs over the elements of each row by itself, and its rows are joined
 * with the row that they come from.
 */
function translateMvApply(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const source = numbered(inputOf(input, node), state);
  const [ordinal] = source.order;
  if (ordinal?.value.kind !== "column") throw new Error("Numbered rows have a number");
  const { id } = ordinal.value;
  const once = renewed(source, state, true);
  const position = source.relation.columns.findIndex((column) => column.id === id);
  const row = once.relation.columns[position];
  if (row === undefined) throw new Error("Numbered rows have a number");
  const elements = renewed(once, state);
  const elementRow = elements.relation.columns[position];
  if (elementRow === undefined) throw new Error("Numbered rows have a number");
  const expanded = expand(node, { ...elements, group: [...elements.group, elementRow] }, state);
  const context = { ...expanded, isSerialized: true };
  const subquery = part(part(node, "Subquery"), "Expression");
  const result = translateTabular(subquery, state, context);
  const names = new Set(result.columns.map(({ name }) => name));
  const kept = once.columns.filter(({ name }) => !names.has(name));
  const joined = tableOfRelation({
    kind: "join",
    joinKind: "inner",
    left: once.relation,
    right: result.relation,
    condition: call("join_equal", "bool", use(row), use(elementRow)),
    columns: [...once.relation.columns, ...result.columns],
    order: [],
  });
  const order = [{ value: use(row), descending: false, nullsFirst: false }];
  const ordered: Table = {
    ...joined,
    relation: { ...joined.relation, order },
    order,
    group: once.group,
    columns: [...kept, ...result.columns],
  };
  return arranged(ordered, columnsOf(node), state);
}
