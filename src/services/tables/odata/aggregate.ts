import { Problem } from "#platform/problem.ts";
import type { Table } from "../definitions/table.ts";
import type { Column } from "../definitions/types.ts";
import { badQuery } from "../protocol/refusals.ts";
import { joined, quoted, sql, type Row, type Sql } from "../storage/sql.ts";
import { queryingFor, readRows, type Asked, type QueryContext } from "./query.ts";
import { compileCondition } from "./sql/conditions.ts";
import { orderBy, orderTerms } from "./sql/ordering.ts";
import { fromOf, tableScope, type Querying, type Scope, type TableScope } from "./sql/scope.ts";
import { asReal, asWhole, computed, folded, type Value } from "./sql/value.ts";
import type { Aggregate, ApplyStep, Expression, PathNode } from "./syntax/ast.ts";
import { parseOptions } from "./syntax/options.ts";
import { whereAll } from "./retrieve-multiple.ts";

/** Groups of one answer. */
const GROUPS_MAX = 50_000;
const TOO_MANY = "0x8004e023";

/** What `$apply` makes of the rows of a table. */
export interface Aggregated {
  readonly table: Table;
  /** In the order in which they are shown. */
  readonly properties: readonly AggregatedProperty[];
  /** Cells by the properties' keys. */
  readonly rows: readonly Row[];
}

export interface AggregatedProperty {
  /** What the cell is called in a row. */
  readonly key: string;
  /** What it is called in the answer; several parts for the column of another row. */
  readonly path: readonly string[];
  /** Of a group; undefined for what is calculated. */
  readonly column: Column | undefined;
}

/** Whether `$apply` does more than filter. */
export function isAggregation(apply: readonly ApplyStep[]): boolean {
  return apply.some(({ kind }) => kind !== "filter");
}

interface Plan {
  readonly before: readonly Expression[];
  readonly paths: readonly PathNode[];
  readonly aggregates: readonly Aggregate[];
  readonly after: readonly Expression[];
}

/** Filters, one step that groups or aggregates, and filters of what comes out of it. */
function planOf(apply: readonly ApplyStep[]): Plan {
  const at = apply.findIndex(({ kind }) => kind !== "filter");
  const step = apply[at];
  if (step === undefined || step.kind === "filter") throw new Error("Nothing is aggregated.");
  return {
    before: conditionsOf(apply.slice(0, at)),
    paths: step.kind === "groupby" ? step.paths : [],
    aggregates: step.aggregates,
    after: conditionsOf(apply.slice(at + 1)),
  };
}

function conditionsOf(steps: readonly ApplyStep[]): readonly Expression[] {
  return steps.map((one) => {
    if (one.kind === "filter") return one.condition;
    throw badQuery("$apply can group or aggregate once only.");
  });
}

export async function aggregateRows(
  context: QueryContext,
  table: Table,
  asked: Asked,
): Promise<Aggregated> {
  const querying = queryingFor(context, asked);
  querying.requireRead(table);
  const { apply, filter, orderby, top } = parseOptions(asked.query);
  const plan = planOf(apply);
  const inner = tableScope(querying, table);
  const columns = [
    ...plan.paths.map((path, at) => groupColumn(inner, path, at)),
    ...plan.aggregates.map((one, at) => aggregateColumn(inner, one, at)),
  ];
  requireDistinct(columns);
  const grouped = groupedQuery(inner, plan, columns);
  const outer = resultScope(querying, columns);
  const conditions = [...plan.after, ...(filter === undefined ? [] : [filter])];
  const order = [
    ...orderTerms(outer, orderby),
    ...columns.map(({ result }) => ({ value: result, descending: false, isFull: false })),
  ];
  const where = whereAll(conditions.map((one) => compileCondition(outer, one)));
  const limit = sql("limit ?", [Math.min(top ?? GROUPS_MAX + 1, GROUPS_MAX + 1)]);
  const from = sql(`select * from (${grouped.text}) result`, grouped.values);
  const query = joined([from, ...where, orderBy(order, querying.dialect), limit], " ");
  const rows = await readRows(asked.reader, query);
  if (rows.length > GROUPS_MAX) {
    throw new Problem(400, TOO_MANY, `$apply answers more than ${GROUPS_MAX} rows.`);
  }
  return { table, properties: columns, rows };
}

interface ResultColumn extends AggregatedProperty {
  readonly piece: Sql;
  /** What to group by; undefined for what is calculated. */
  readonly group: Sql | undefined;
  /** The value as the rest of the query sees it. */
  readonly result: Value;
}

function requireDistinct(columns: readonly ResultColumn[]): void {
  const names = columns.map(({ path }) => path.join("/"));
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw badQuery(`$apply has two results named '${twice}'.`);
}

/** Texts that differ in case alone are one group, which shows the first of them. */
function groupColumn(scope: TableScope, { segments, at }: PathNode, index: number): ResultColumn {
  const value = scope.value(segments, at);
  const key = `g${index}`;
  const { dialect } = scope.querying;
  const isFolded = value.type === "text" && dialect === "postgres";
  const { text, values } = value.sql;
  return {
    key,
    path: segments,
    column: value.column,
    piece: isFolded ? sql(`min(${text})`, values) : value.sql,
    group: folded(value, dialect),
    result: computed(value.type, sql(`result.${key}`), at),
  };
}

function aggregateColumn(scope: TableScope, aggregate: Aggregate, index: number): ResultColumn {
  const { name, at } = aggregate;
  const key = `a${index}`;
  const { piece, type } = aggregated(scope, aggregate);
  const result = computed(type, sql(`result.${key}`), at);
  return { key, path: [name], column: undefined, piece, group: undefined, result };
}

function aggregated(scope: TableScope, { method, value: expression, at }: Aggregate) {
  const { dialect, compiler } = scope.querying;
  if (expression === undefined)
    return { piece: asWhole(sql("count(*)"), dialect), type: "number" } as const;
  const value = compiler.value(scope, expression);
  if (method === "countdistinct") {
    const { text, values } = folded(value, dialect);
    const piece = asWhole(sql(`count(distinct ${text})`, values), dialect);
    return { piece, type: "number" } as const;
  }
  if (method === "min" || method === "max")
    return { piece: call(method, value.sql), type: value.type };
  if (value.type !== "number") {
    throw badQuery(`Only numbers can be aggregated with ${method}, at position ${at}.`);
  }
  const name = method === "sum" ? "sum" : "avg";
  return { piece: call(name, asReal(value.sql, dialect)), type: "number" } as const;
}

function call(name: string, { text, values }: Sql): Sql {
  return sql(`${name}(${text})`, values);
}

function groupedQuery(scope: TableScope, { before }: Plan, columns: readonly ResultColumn[]): Sql {
  const selected = columns.map(({ piece, key }) =>
    sql(`${piece.text} as ${quoted(key)}`, piece.values),
  );
  const groups = columns.flatMap(({ group }) => (group === undefined ? [] : [group]));
  const by = joined(groups, ", ");
  const where = whereAll(before.map((one) => compileCondition(scope, one)));
  return joined(
    [
      sql("select"),
      joined(selected, ", "),
      sql(`from ${fromOf(scope)}`),
      ...where,
      ...(groups.length === 0 ? [] : [sql(`group by ${by.text}`, by.values)]),
    ],
    " ",
  );
}

/** The names that the results have. */
function resultScope(querying: Querying, columns: readonly ResultColumn[]): Scope {
  const byName = new Map(columns.map((one) => [one.path.join("/"), one.result]));
  const scope: Scope = {
    querying,
    withVariable: () => scope,
    value(path, at) {
      const name = path.join("/");
      const value = byName.get(name);
      if (value !== undefined) return { ...value, at };
      throw badQuery(`$apply answers no property named '${name}'.`);
    },
    collection(path) {
      throw badQuery(`$apply answers no collection named '${path.join("/")}'.`);
    },
  };
  return scope;
}
