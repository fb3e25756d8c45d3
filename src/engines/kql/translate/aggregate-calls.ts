import { argumentsOf } from "./call-parts.ts";
import { isAggregateSymbol } from "../language/kusto.ts";
import { columnsOf, nameOf, type SyntaxNode } from "../language/syntax.ts";
import { KqlError } from "../kql-error.ts";
import { literal, type Aggregate, type Scalar } from "../plan/scalar.ts";
import type { KqlType } from "../types.ts";
import { kindOf } from "../language/syntax.ts";
import { use, type Scope, type Translation, translateScalar } from "./translation.ts";
import { scalarType, typeOf } from "./types.ts";

/** Old spellings of aggregates. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["any", "take_any"],
  ["anyif", "take_anyif"],
  ["makelist", "make_list"],
  ["makeset", "make_set"],
  ["argmin", "arg_min"],
  ["argmax", "arg_max"],
  ["make_dictionary", "make_bag"],
  ["cnt", "count"],
  ["tdigest_merge", "merge_tdigest"],
]);

export function isAggregate(node: SyntaxNode): boolean {
  return isAggregateSymbol(node.ReferencedSymbol);
}

/** An aggregate with one result; those with several are taken apart by `aggregateColumns`. */
export function translateAggregate(node: SyntaxNode, scope: Scope, state: Translation): Aggregate {
  const args = argumentsOf(node).map((one) => translateScalar(one, scope, state));
  return aggregate(nameOf(node), args, typeOf(node), scope);
}

function aggregate(name: string, args: readonly Scalar[], type: KqlType, scope: Scope): Aggregate {
  const order = scope.table?.order ?? [];
  return { kind: "aggregate", name: ALIASES.get(name) ?? name, args, type, order };
}

/** The results of an aggregate call, one per column that it makes. */
export function aggregateColumns(
  node: SyntaxNode,
  scope: Scope,
  state: Translation,
  keyNames: ReadonlySet<string>,
): Scalar[] {
  const name = ALIASES.get(nameOf(node)) ?? nameOf(node);
  if (name === "arg_max" || name === "arg_min") return extremes(name, node, scope, state, keyNames);
  if (name === "take_any") return anyValues(node, scope, state, keyNames);
  if (name === "percentiles" || name === "percentilesw") return percentiles(node, scope, state);
  return [translateAggregate(node, scope, state)];
}

/** `arg_max(by, a, b)` and `arg_max(by, *)`: the extreme itself, then the others of its row. */
function extremes(
  ...[name, node, scope, state, keyNames]: [
    string,
    SyntaxNode,
    Scope,
    Translation,
    ReadonlySet<string>,
  ]
): Scalar[] {
  const [byNode, ...rest] = argumentsOf(node);
  if (byNode === undefined) throw new KqlError("semantic", `${name}() needs an argument.`);
  const by = translateScalar(byNode, scope, state);
  const used = new Set([...keyNames, nameIfColumn(byNode)]);
  const values = rest.flatMap((one) => expandStar(one, scope, state, used));
  return [by, ...values].map((value) => aggregate(name, [by, value], value.type, scope));
}

function nameIfColumn(node: SyntaxNode): string {
  return kindOf(node) === "NameReference" ? nameOf(node) : "";
}

function expandStar(
  node: SyntaxNode,
  scope: Scope,
  state: Translation,
  used: ReadonlySet<string>,
): Scalar[] {
  if (kindOf(node) !== "StarExpression") return [translateScalar(node, scope, state)];
  return (scope.table?.columns ?? []).filter(({ name }) => !used.has(name)).map(use);
}

/** `take_any(a, b)`: all values from one row. */
function anyValues(
  node: SyntaxNode,
  scope: Scope,
  state: Translation,
  keyNames: ReadonlySet<string>,
): Scalar[] {
  const values = argumentsOf(node).flatMap((one) => expandStar(one, scope, state, keyNames));
  if (values.length === 1) {
    return values.map((value) => aggregate("take_any", [value], value.type, scope));
  }
  const first = literal("long", 0n);
  return values.map((value) => aggregate("arg_max", [first, value], value.type, scope));
}

function percentiles(node: SyntaxNode, scope: Scope, state: Translation): Scalar[] {
  const name = nameOf(node);
  const fixed = name === "percentiles" ? 1 : 2;
  const args = argumentsOf(node).map((one) => translateScalar(one, scope, state));
  const columns = columnsOf(node);
  return args.slice(fixed).map((percent, index) => {
    const type = scalarType(columns[index]?.type ?? args[0]?.type ?? "real");
    const single = name === "percentiles" ? "percentile" : "percentilew";
    return aggregate(single, [...args.slice(0, fixed), percent], type, scope);
  });
}
