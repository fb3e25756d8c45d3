import { arranged } from "../table-shapes.ts";
import {
  columnsOf,
  kindOf,
  nameOf,
  part,
  parts,
  type BoundColumn,
  type SyntaxNode,
} from "../../language/syntax.ts";
import type { Column } from "../../plan/relation.ts";
import { cast, type Scalar } from "../../plan/scalar.ts";
import { hoistWindows } from "../hoist.ts";
import {
  projected,
  showing,
  tableOfRelation,
  use,
  type NewValue,
  type Table,
  type Translation,
} from "../translation.ts";
import { SYSTEM_TYPES } from "../../types.ts";
import { scalarType } from "../types.ts";
import { givenName, givenNames, inputOf, ready } from "./operator.ts";
import type { Operator } from "./operator.ts";
import { expressionValues } from "./values.ts";

/** Operators that pick, name and compute columns. */
export const columnOperators: Readonly<Record<string, Operator>> = {
  ProjectOperator: translateProject,
  ExtendOperator: (node, input, state) => extended(node, inputOf(input, node), state),
  ProjectAwayOperator: pick,
  ProjectKeepOperator: pick,
  ProjectReorderOperator: pick,
  ProjectByNamesOperator: pick,
  ProjectRenameOperator: rename,
  DistinctOperator: distinct,
  GetSchemaOperator: getSchema,
};

/** What only shows other columns of the same table; the binder has worked out which. */
function pick(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  return arranged(inputOf(input, node), columnsOf(node), state);
}

function rename(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const table = inputOf(input, node);
  const names = new Map<string, string>();
  for (const one of parts(node, "Expressions")) {
    if (kindOf(one) !== "SimpleNamedExpression") continue;
    names.set(nameOf(part(one, "Expression")), nameOf(part(one, "Name")));
  }
  const columns = table.columns.map((column) => {
    return { ...column, name: names.get(column.name) ?? column.name };
  });
  return arranged(showing(table, columns), columnsOf(node), state);
}

function translateProject(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const expressions = parts(node, "Expressions");
  const table = ready(inputOf(input, node), expressions, state);
  const bound = columnsOf(node);
  const values: Scalar[] = [];
  const columns: BoundColumn[] = [];
  let position = 0;
  for (const one of expressions) {
    for (const [index, value] of expressionValues(one, table, state).entries()) {
      const column = bound[position++];
      if (column === undefined || isLeftOut(one, index)) continue;
      values.push(value);
      columns.push(column);
    }
  }
  return withValues(table, values, columns, state);
}

/** The table with these values as its columns, named by the binder in the same order. */
function withValues(
  table: Table,
  values: readonly Scalar[],
  bound: readonly BoundColumn[],
  state: Translation,
): Table {
  const hoisted = hoistWindows(table, values, state, true);
  const named = hoisted.scalars.slice(0, bound.length).map((value, index): NewValue => {
    return newValue(bound[index] ?? { name: "", type: "unknown" }, value, state);
  });
  return projected(hoisted.table, named);
}

function newValue({ name, type }: BoundColumn, value: Scalar, state: Translation): NewValue {
  const wanted = type === "unknown" ? value.type : scalarType(type);
  return { column: state.newColumn(name, wanted), value: cast(value, wanted) };
}

/** `extend`: values under new names, or in the place of old ones; the binder gives the order. */
export function extended(node: SyntaxNode, input: Table, state: Translation): Table {
  const expressions = parts(node, "Expressions");
  const table = ready(input, expressions, state);
  const bound = columnsOf(node);
  const types = new Map(bound.map((column) => [column.name, column]));
  const before = new Set(table.columns.map(({ name }) => name));
  const explicit = new Set(
    expressions.flatMap((one) => [givenName(one) ?? "", ...givenNames(one)]),
  );
  const fresh = bound.filter(({ name }) => !before.has(name) && !explicit.has(name));
  const made: [BoundColumn, Scalar][] = [];
  for (const one of expressions) {
    const values = expressionValues(one, table, state);
    const names = [givenName(one), ...givenNames(one)].filter((name) => name !== undefined);
    values.forEach((value, index) => {
      const name = names[index] ?? fresh.shift()?.name;
      if (name === undefined || isLeftOut(one, index)) return;
      made.push([types.get(name) ?? { name, type: "unknown" }, value]);
    });
  }
  const hoisted = hoistWindows(
    table,
    made.map(([, value]) => value),
    state,
    true,
  );
  const values = made.map(([column], index) => {
    return newValue(column, hoisted.scalars[index] ?? made[index]?.[1] ?? neverValue(), state);
  });
  const there = new Set([...before, ...values.map(({ column }) => column.name)]);
  const order = bound.filter(({ name }) => there.has(name));
  return replaced(hoisted.table, values, order, state);
}

/** Of several values, one name takes the first; the binder counts the others, the service not. */
function isLeftOut(node: SyntaxNode, index: number): boolean {
  return index > 0 && kindOf(node) === "SimpleNamedExpression";
}

function neverValue(): never {
  throw new Error("Each expression has a value");
}

/** The table with values added; a value takes the place of a column of its name. */
export function replaced(
  table: Table,
  values: readonly NewValue[],
  bound: readonly BoundColumn[],
  state: Translation,
): Table {
  const names = new Set(values.map(({ column }) => column.name));
  const kept = table.columns.filter(({ name }) => !names.has(name));
  const all = projected(table, [
    ...kept.map((column) => ({ column, value: use(column) })),
    ...values,
  ]);
  return bound.length === 0 ? all : arranged(all, bound, state);
}

function distinct(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const table = inputOf(input, node);
  const values = parts(node, "Expressions").flatMap((one) => expressionValues(one, table, state));
  const bound = columnsOf(node);
  const columns = values.map((value, index) => {
    return state.newColumn(bound[index]?.name ?? "", value.type);
  });
  return grouped(table, values, columns);
}

/** One row for each combination of the values, within each group. */
export function grouped(
  table: Table,
  values: readonly Scalar[],
  columns: readonly Column[],
): Table {
  const made = tableOfRelation({
    kind: "summarize",
    input: table.relation,
    keys: [...table.group.map(use), ...values],
    aggregates: [],
    columns: [...table.group, ...columns],
    order: [],
  });
  return { ...made, columns, group: table.group };
}

function getSchema(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const table = inputOf(input, node);
  const columns = columnsOf(node).map(({ name, type }) => state.newColumn(name, scalarType(type)));
  const rows = table.columns.map(({ name, type }, index) => [
    name,
    columns[1]?.type === "int" ? index : BigInt(index),
    SYSTEM_TYPES[type],
    type,
  ]);
  return tableOfRelation({ kind: "values", columns, rows, order: [] });
}
