import { maybe, parts, textOf, type SyntaxNode } from "../../language/syntax.ts";
import { graphMatch } from "../graphs/graph-match.ts";
import { graphOf, makeGraph } from "../graphs/make-graph.ts";
import { unsupported, type Table, type Translation } from "../translation.ts";
import { computedRows, type Row } from "./computed-rows.ts";
import type { Operator } from "./operator.ts";

/** Operators that make a graph of a table, and tables of a graph. */
export const graphOperators: Readonly<Record<string, Operator>> = {
  MakeGraphOperator: makeGraph,
  GraphMatchOperator: graphMatch,
  GraphShortestPathsOperator: graphMatch,
  GraphToTableOperator: graphToTable,
};

function graphToTable(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const graph = graphOf(input, node);
  const [output, ...others] = parts(node, "OutputClause");
  if (output === undefined || others.length > 0) {
    throw unsupported(node, "graph-to-table with several tables is not supported.");
  }
  if (parts(output, "Parameters").length > 0 || maybe(output, "AsClause") !== undefined) {
    throw unsupported(output, "graph-to-table takes no names and no hashes of nodes here.");
  }
  if (textOf(output).startsWith("edges")) return { ...graph.edges };
  const { nodeColumns, sources, build } = graph;
  const make = (rows: readonly Row[], ...nodes: readonly (readonly Row[])[]): Row[] =>
    build(rows, nodes).nodes.map(({ cells }) => cells.slice(0, nodeColumns.length));
  return computedRows(sources, { columns: nodeColumns, make }, state);
}
