import { KqlError } from "../../kql-error.ts";
import type { Relation, SortKey } from "../../plan/relation.ts";
import type {
  Aggregate,
  Call,
  Cast,
  Literal,
  Scalar,
  Subquery,
  Window,
} from "../../plan/scalar.ts";
import { aggregates, listOf } from "./aggregates.ts";
import { filterComparisons } from "./functions/comparisons.ts";
import { castSql } from "./functions/conversions.ts";
import { pathSql } from "./functions/dynamics.ts";
import type { FunctionTable } from "./functions/functions.ts";
import { literalSql } from "./literals.ts";
import { nullOf, type Sql, type Within } from "./sql.ts";
import { windowSql } from "./windows.ts";

/** What scalars are written with. */
export interface ScalarContext {
  readonly functions: FunctionTable;
  /** Writes a relation and gives the name under which it can be read. */
  readonly nameOf: (relation: Relation) => string;
  /** See `Within`. */
  readonly once: Within["once"];
}

/** SQL of a scalar expression. */
export function scalarSql(scalar: Scalar, context: ScalarContext): Sql {
  const { type } = scalar;
  if (scalar.kind === "call" && scalar.name === "path") return pathOf(scalar, context);
  if (scalar.kind === "literal") return literalSql(type, scalar.value);
  if (scalar.kind === "cast") return castSql(scalarSql(scalar.value, context), type);
  return { text: textOf(scalar, context), type, isNullable: type !== "string" };
}

function pathOf(call: Call, context: ScalarContext): Sql {
  const [value, key] = call.args;
  if (value === undefined || key === undefined) throw new Error("A path has a root and a step");
  return pathSql(scalarSql(value, context), scalarSql(key, context), context.once);
}

function textOf(scalar: Exclude<Scalar, Literal | Cast>, context: ScalarContext): string {
  if (scalar.kind === "column") return columnName(scalar.id);
  if (scalar.kind === "aggregate") return aggregateSql(scalar, context);
  if (scalar.kind === "window") return windowText(scalar, context);
  if (scalar.kind === "subquery") return subqueryText(scalar, context);
  const args = scalar.args.map((one) => scalarSql(one, context));
  return context.functions.call(scalar.name, args, scalar.type);
}

export function columnName(id: number): string {
  return `c${String(id)}`;
}

function subqueryText(subquery: Subquery, context: ScalarContext): string {
  const { relation, type, isSet } = subquery;
  const [first] = relation.columns;
  const name = context.nameOf(relation);
  if (isSet === true) return `SELECT ${columnName(first?.id ?? 0)} FROM ${name}`;
  const order = orderBy(relation.order, context);
  const value = `(SELECT ${columnName(first?.id ?? 0)} FROM ${name}${order} LIMIT 1)`;
  return type === "string" ? `coalesce(${value}, ${nullOf(type)})` : value;
}

/** The same for rows as they come: DuckDB keeps them in the order in which they were made. */
export function orderRowsBy(order: readonly SortKey[], context: ScalarContext): string {
  return order.every(({ isNatural }) => isNatural === true) ? "" : orderBy(order, context);
}

/** ` ORDER BY …`, or nothing for rows in any order. */
function orderBy(order: readonly SortKey[], context: ScalarContext): string {
  if (order.length === 0) return "";
  const keys = order.map(({ value, descending, nullsFirst }) => {
    const text = scalarSql(value, context).text;
    return `${text} ${descending ? "DESC" : "ASC"} NULLS ${nullsFirst ? "FIRST" : "LAST"}`;
  });
  return ` ORDER BY ${keys.join(", ")}`;
}

/** Aggregates of the rows that meet a condition, which is their second argument. */
const FILTERED = "_if";

function aggregateSql(aggregate: Aggregate, context: ScalarContext): string {
  const { name, type } = aggregate;
  const args = aggregate.args.map((one) => scalarSql(one, context));
  const order = orderBy(aggregate.order, context);
  if (name === "arg_min" || name === "arg_max") return argExtreme(name, args, type);
  const emitter = Object.hasOwn(aggregates, name) ? aggregates[name] : undefined;
  if (emitter !== undefined) return emitter(args, { type, order });
  return listAggregate(aggregate, args, context);
}

/** Aggregates of JavaScript, which take all values as one array. */
function listAggregate(
  { name, type, order: keys }: Aggregate,
  args: readonly Sql[],
  context: ScalarContext,
): string {
  const order = orderBy(keys, context);
  const isFiltered = name.endsWith(FILTERED);
  const plainName = isFiltered ? name.slice(0, -FILTERED.length) : name;
  const [values, second, ...others] = args;
  const rest = isFiltered || second === undefined ? others : [second, ...others];
  const items = listOf(values, { order, test: isFiltered ? second : undefined });
  const list = `('[' || coalesce(array_to_string(${items}, ','), '') || ']')`;
  const all: Sql = { text: list, type: "dynamic", isNullable: false };
  try {
    return context.functions.call(`${plainName}_of`, [all, ...rest], type);
  } catch (error) {
    if (!(error instanceof KqlError)) throw error;
    throw new KqlError("unsupported", `The aggregate ${name}() is not supported yet.`);
  }
}

/** The value of the second argument in the row where the first is least or greatest. */
function argExtreme(name: string, [by, value]: readonly Sql[], type: Scalar["type"]): string {
  if (by === undefined || value === undefined) throw new Error("An argument is missing");
  const found = `${name}_null(${value.text}, ${by.text})`;
  return type === "string" ? `coalesce(${found}, '')` : found;
}

function windowText(window: Window, context: ScalarContext): string {
  const { name, type, partition, order } = window;
  const by = partition.map((one) => scalarSql(one, context).text).join(", ");
  const within = by === "" ? "" : `PARTITION BY ${by}`;
  const over = `OVER (${within}${orderBy(order, context)})`;
  const args = window.args.map((one) => scalarSql(one, context));
  const sql = windowSql(name, args, type, over);
  if (sql === undefined) {
    throw new KqlError("unsupported", `The window function ${name}() is not supported yet.`);
  }
  return sql;
}

/** SQL of a condition that picks rows, where NULL means no; plainer, so that indexes apply. */
export function conditionSql(scalar: Scalar, context: ScalarContext): string {
  if (scalar.kind === "call") {
    if (scalar.name === "and" || scalar.name === "or") {
      const sides = scalar.args.map((one) => conditionSql(one, context));
      return `(${sides.join(scalar.name === "and" ? " AND " : " OR ")})`;
    }
    const emitter = Object.hasOwn(filterComparisons, scalar.name)
      ? filterComparisons[scalar.name]
      : undefined;
    const args = scalar.args.map((one) => scalarSql(one, context));
    const text = emitter?.(args, scalar.type);
    if (text !== undefined) return text;
  }
  return scalarSql(scalar, context).text;
}
