import {
  kindOf,
  maybe,
  nameOf,
  part,
  parts,
  textOf,
  type SyntaxNode,
} from "../../language/syntax.ts";
import { cast } from "../../plan/scalar.ts";
import {
  matchPatterns,
  shortestMatches,
  type EdgePattern,
  type Match,
  type MatchOptions,
  type Pattern,
} from "../../runtime/rows/graph.ts";
import { literalOf } from "../literals.ts";
import type { Table, Translation } from "../translation.ts";
import { computedRows, scalarRow, type Row } from "../operators/computed-rows.ts";
import { parameterText } from "../operators/operator.ts";
import { resultColumns } from "../plugins/plugin.ts";
import { graphScope } from "./graph-scope.ts";
import { evaluationOf } from "./match-evaluation.ts";
import { graphOf } from "./make-graph.ts";

/** Edges of a path without an upper bound. */
const PATH_LENGTH_MAX = 16;

/** `graph-match` and `graph-shortest-paths`: a row for each way in which the pattern fits. */
export function graphMatch(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const graph = graphOf(input, node);
  const patterns = parts(node, "Patterns").map(patternOf);
  const edges = patterns.flatMap((pattern) => pattern.edges);
  const scope = graphScope(
    {
      table: graph.edges,
      nodeColumns: graph.nodeColumns,
      nodes: [...new Set(patterns.flatMap((pattern) => pattern.nodes))],
      edges: edges.filter((edge) => !isPath(edge)).map(({ name }) => name),
      paths: edges.filter(isPath).map(({ name }) => name),
    },
    state,
  );
  const where = maybe(node, "WhereClause");
  const tests = where === undefined ? [] : conjuncts(part(where, "Condition"));
  const columns = resultColumns(node);
  const conditions = tests.map((one) => cast(scope.translate(one), "bool"));
  const shown = parts(part(node, "ProjectClause"), "Expressions").map((one, index) => {
    return cast(scope.translate(one), columns[index]?.type ?? "dynamic");
  });
  const plan = { scope, conditions, shown };
  const isShortest = kindOf(node) === "GraphShortestPathsOperator";
  const options = {
    cycles: cyclesOf(node),
    shortest: isShortest ? (parameterText(node, "output") ?? "any") : undefined,
  };
  const [main, ...others] = graph.sources;
  const settings = scalarRow(
    scope.lifted.map(({ value }) => value),
    state,
  );
  const make = (rows: readonly Row[], ...more: readonly (readonly Row[])[]): Row[] => {
    const constants = more.at(-1)?.[0] ?? [];
    const built = graph.build(rows, more.slice(0, -1));
    const evaluation = evaluationOf(plan, constants.slice(0, scope.lifted.length));
    const found: Match[] = [];
    const { cycles } = options;
    matchPatterns(built, patterns, { cycles, isPossible: evaluation.isPossible }, (match) => {
      found.push(match);
    });
    const kept =
      options.shortest === undefined
        ? found
        : shortestMatches(found, patterns, options.shortest === "all");
    return kept.map(evaluation.rowOf);
  };
  return computedRows([main, ...others, settings], { columns, make }, state);
}

function isPath({ least, most }: EdgePattern): boolean {
  return least !== 1 || most !== 1;
}

function cyclesOf(node: SyntaxNode): MatchOptions["cycles"] {
  const cycles = parameterText(node, "cycles");
  return cycles === "all" || cycles === "none" ? cycles : "unique_edges";
}

function conjuncts(node: SyntaxNode): SyntaxNode[] {
  if (kindOf(node) === "ParenthesizedExpression") return conjuncts(part(node, "Expression"));
  if (kindOf(node) !== "AndExpression") return [node];
  return [...conjuncts(part(node, "Left")), ...conjuncts(part(node, "Right"))];
}

/** Names without one get one that no query can write. */
function patternOf(node: SyntaxNode, position: number): Pattern {
  const all = parts(node, "PatternElements");
  const named = (one: SyntaxNode, index: number): string => {
    const name = maybe(one, "Name");
    return name === undefined ? `$${String(position)}.${String(index)}` : nameOf(name);
  };
  return {
    nodes: all.flatMap((one, index) => (isNode(one) ? [named(one, index)] : [])),
    edges: all.flatMap((one, index) => (isNode(one) ? [] : [edgeOf(one, named(one, index))])),
  };
}

function isNode(one: SyntaxNode): boolean {
  return kindOf(one) === "GraphMatchPatternNode";
}

function edgeOf(node: SyntaxNode, name: string): EdgePattern {
  const text = textOf(node);
  const isLeft = text.startsWith("<");
  const isRight = text.endsWith(">");
  const range = maybe(node, "Range");
  const bound = (which: string, other: number): number => {
    const found = range === undefined ? undefined : maybe(range, which);
    const value = found === undefined ? undefined : literalOf(found)?.value;
    return value === undefined || value === null ? other : Number(value);
  };
  let direction: EdgePattern["direction"] = "any";
  if (isLeft !== isRight) direction = isLeft ? "left" : "right";
  if (range === undefined) return { name, direction, least: 1, most: 1 };
  return {
    name,
    direction,
    least: bound("RangeStart", 1),
    most: bound("RangeEnd", PATH_LENGTH_MAX),
  };
}
