import {
  columnsOf,
  kindOf,
  maybe,
  part,
  parts,
  textOf,
  type SyntaxNode,
} from "../../language/syntax.ts";
import type { Relation } from "../../plan/relation.ts";
import { call, cast, literal, type Scalar } from "../../plan/scalar.ts";
import { renewed } from "../table-shapes.ts";
import {
  NO_SCOPE,
  projected,
  tableOfRelation,
  use,
  type Table,
  type Translation,
  translateScalar,
} from "../translation.ts";
import { scalarType } from "../types.ts";
import { inputOf, scalarOver, unnamed, type Operator } from "./operator.ts";
import { taken } from "./row-operators.ts";
import { summarized } from "./summarize.ts";
import { united } from "./union.ts";

export const nestedOperators: Readonly<Record<string, Operator>> = {
  TopNestedOperator: translateTopNested,
};

interface Level {
  readonly count: SyntaxNode | undefined;
  readonly key: SyntaxNode;
  readonly aggregate: SyntaxNode;
  readonly descending: boolean;
  readonly others: SyntaxNode | undefined;
}

/** The table so far: pairs of key and aggregate, one pair per level. */
interface Nest {
  readonly source: Table;
  readonly levels: readonly Level[];
  readonly names: readonly { readonly name: string; readonly type: string }[];
  readonly state: Translation;
}

/**
 * Each level ranks its values within those that the levels before have kept. Rows that a level
 * leaves out are summed up as its `others`, together with the others of the levels below.
 */
function translateTopNested(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const source = renewed({ ...inputOf(input, node), order: [] }, state);
  const levels = parts(node, "Clauses").map(levelOf);
  const nest: Nest = { source, levels, names: columnsOf(node), state };
  const finished: Table[] = [];
  let kept: Table | undefined;
  levels.forEach((level, depth) => {
    const best = ranked(nest, depth);
    const next = kept === undefined ? best : nested(kept, best, depth);
    if (level.others !== undefined) finished.push(othersOf(nest, depth, next, kept));
    kept = next;
  });
  const all = [...(kept === undefined ? [] : [kept]), ...finished];
  const named = all.map((table) => ({ name: "", table }));
  return united(named, nest.names, undefined, state);
}

function levelOf(clause: SyntaxNode): Level {
  const by = part(clause, "ByExpression");
  const isOrdered = kindOf(by) === "OrderedExpression";
  const others = maybe(clause, "WithOthersClause");
  return {
    count: maybe(clause, "Expression"),
    key: unnamed(part(clause, "OfExpression")),
    aggregate: unnamed(isOrdered ? part(by, "Expression") : by),
    descending: !isOrdered || !/\basc\b/i.test(textOf(part(by, "Ordering"))),
    others: others === undefined ? undefined : part(others, "Expression"),
  };
}

/** Name and type of the key of a level, and of its aggregate. */
function pairOf({ names }: Nest, depth: number) {
  const [key, value] = names.slice(depth * 2, depth * 2 + 2);
  if (key === undefined || value === undefined) throw new Error("Each level has two columns");
  return { key, value };
}

function keysOf({ levels, state }: Nest, depth: number, table: Table): Scalar[] {
  return levels.slice(0, depth).map(({ key }) => scalarOver(key, table, state));
}

function aggregateOf(nest: Nest, depth: number, table: Table): Scalar {
  const level = nest.levels[depth];
  if (level === undefined) throw new Error("There is no such level");
  const { type } = pairOf(nest, depth).value;
  return cast(scalarOver(level.aggregate, table, nest.state), scalarType(type));
}

/** The best values of one level for all values of those before: their keys, key, aggregate. */
function ranked(nest: Nest, depth: number): Table {
  const { levels, state } = nest;
  const table = renewed(nest.source, state);
  const keys = keysOf(nest, depth + 1, table);
  const aggregates = [aggregateOf(nest, depth, table)];
  const names = nest.levels.slice(0, depth + 1).map((_one, index) => pairOf(nest, index).key.name);
  const summary = { keys, aggregates, names: [...names, pairOf(nest, depth).value.name] };
  const made = summarized(table, summary, state);
  const level = levels[depth];
  if (level?.count === undefined) return { ...made, order: [] };
  const value = made.columns.at(-1);
  if (value === undefined) throw new Error("A level has columns");
  const order = [{ value: use(value), descending: level.descending, nullsFirst: false }];
  const within = { ...made, order, group: [...made.group, ...made.columns.slice(0, depth)] };
  const count = translateScalar(level.count, NO_SCOPE, state);
  const best = taken(within, count, state);
  return { ...best, group: made.group, order: [], relation: { ...best.relation, order: [] } };
}

/** The levels so far, with the next one: rows that agree in the keys of the levels so far. */
function nested(kept: Table, best: Table, depth: number): Table {
  const keptKeys = kept.columns.filter((_one, index) => index % 2 === 0);
  const columns = [...kept.columns, ...best.columns.slice(depth)];
  const made = tableOfRelation({
    kind: "join",
    joinKind: "inner",
    left: kept.relation,
    right: best.relation,
    condition: sameKeys(
      [...kept.group, ...keptKeys].map(use),
      [...best.group, ...best.columns.slice(0, depth)].map(use),
    ),
    columns: [...kept.group, ...columns],
    order: [],
  });
  return { ...made, columns, group: kept.group };
}

function sameKeys(left: readonly Scalar[], right: readonly Scalar[]): Scalar {
  const tests = left.flatMap((one, index): Scalar[] => {
    const other = right[index];
    return other === undefined ? [] : [call("join_equal", "bool", one, other)];
  });
  return { kind: "call", name: "and", args: [literal("bool", true), ...tests], type: "bool" };
}

/** One row for all that a level leaves out, for each of the values of the levels before. */
function othersOf(nest: Nest, depth: number, next: Table, kept: Table | undefined): Table {
  const { state, levels } = nest;
  const rest = leftOut(nest, depth + 1, renewed(next, state));
  const deeper = levels.flatMap(({ others }, index) => {
    return index >= depth && others !== undefined ? [{ index, others }] : [];
  });
  const sums = summarized(
    rest,
    {
      keys: keysOf(nest, depth, rest),
      aggregates: deeper.map(({ index }) => aggregateOf(nest, index, rest)),
      names: [],
    },
    state,
  );
  const joined = kept === undefined ? sums : nested(renewed(kept, state), sums, depth);
  const before = joined.columns.slice(0, depth * 2);
  const totals = joined.columns.slice(kept === undefined ? 0 : depth * 2);
  const values = levels.slice(depth).flatMap((_level, offset): Scalar[] => {
    const { key, value } = pairOf(nest, depth + offset);
    const at = deeper.findIndex(({ index }) => index === depth + offset);
    const total = totals[at];
    const others = deeper[at]?.others;
    if (total === undefined || others === undefined) return [none(key), none(value)];
    const label = translateScalar(others, NO_SCOPE, state);
    return [cast(label, scalarType(key.type)), use(total)];
  });
  const all = [...before.map(use), ...values];
  return projected(
    joined,
    all.map((value, index) => {
      return { column: state.newColumn(nest.names[index]?.name ?? "", value.type), value };
    }),
  );
}

function none({ type }: { readonly type: string }): Scalar {
  return literal(scalarType(type), type === "string" ? "" : null);
}

/** Rows of the source whose keys a level does not have. */
function leftOut(nest: Nest, depth: number, level: Table): Table {
  const table = renewed(nest.source, nest.state);
  const keys = level.columns.filter((_one, index) => index % 2 === 0);
  const relation: Relation = {
    kind: "join",
    joinKind: "anti",
    left: table.relation,
    right: level.relation,
    condition: sameKeys(
      [...table.group.map(use), ...keysOf(nest, depth, table)],
      [...level.group, ...keys].map(use),
    ),
    columns: table.relation.columns,
    order: [],
  };
  return { ...table, relation, order: [] };
}
