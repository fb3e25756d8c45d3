import { KqlError } from "../../kql-error.ts";
import {
  kindOf,
  maybe,
  nameOf,
  part,
  parts,
  positionOf,
  symbolClass,
  textOf,
  walk,
  type SyntaxNode,
} from "../../language/syntax.ts";
import { componentsOf } from "../../runtime/rows/components.ts";
import type { Graph } from "../../runtime/rows/graph.ts";
import { graphMatch } from "../graphs/graph-match.ts";
import { graphOf, makeGraph, tableOfGraph, type GraphPlan } from "../graphs/make-graph.ts";
import { renewed } from "../table-shapes.ts";
import { unsupported, type Table, type Translation } from "../translation.ts";
import { computedRows, type Row } from "./computed-rows.ts";
import { parameterText, type Operator } from "./operator.ts";
import { firstOf } from "./several-results.ts";

/** Operators that make a graph of a table, and tables of a graph. */
export const graphOperators: Readonly<Record<string, Operator>> = {
  MakeGraphOperator: makeGraph,
  GraphMatchOperator: graphMatch,
  GraphShortestPathsOperator: graphMatch,
  GraphMarkComponentsOperator: markComponents,
  GraphToTableOperator: graphToTable,
};

/** `graph-to-table nodes as N, edges as E`: the tables by these names, and both as results. */
function graphToTable(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const graph = graphOf(input, node);
  const tables = parts(node, "OutputClause").map((output) => {
    if (parts(output, "Parameters").length > 0) {
      throw unsupported(output, "graph-to-table gives no hashes of nodes here.");
    }
    const table = outputTable(output, graph, state);
    const alias = maybe(output, "AsClause");
    if (alias === undefined) return table;
    bindLater(nameOf(part(alias, "Name")), node, table, state);
    return renewed(table, state);
  });
  const [only] = tables;
  return only !== undefined && tables.length === 1 ? only : firstOf(tables, state);
}

/** The binder tells the symbol of such a name only where the name is used. */
function bindLater(name: string, node: SyntaxNode, table: Table, state: Translation): void {
  const { start } = positionOf(node);
  for (const one of walk(state.root)) {
    if (kindOf(one) !== "NameReference" || nameOf(one) !== name) continue;
    const symbol = one.ReferencedSymbol;
    if (symbol === null || symbol === undefined || positionOf(one).start < start) continue;
    if (symbolClass(one) === "TableSymbol") state.bindings.set(symbol, { kind: "table", table });
  }
}

function outputTable(output: SyntaxNode, graph: GraphPlan, state: Translation): Table {
  if (textOf(output).startsWith("edges")) return renewed(graph.edges, state);
  const { nodeColumns, sources, build } = graph;
  const make = (rows: readonly Row[], ...nodes: readonly (readonly Row[])[]): Row[] =>
    build(rows, nodes).nodes.map(({ cells }) => cells.slice(0, nodeColumns.length));
  return computedRows(sources, { columns: nodeColumns, make }, state);
}

/** Name of the new property of nodes, unless another is asked for. */
const COMPONENT = "ComponentId";

function markComponents(node: SyntaxNode, input: Table | undefined): Table {
  const graph = graphOf(input, node);
  const kind = parameterText(node, "kind") ?? "weak";
  if (kind !== "weak" && kind !== "strong") {
    throw new KqlError("semantic", `graph-mark-components: kind is weak or strong, not ${kind}.`);
  }
  const name = parameterText(node, "with_component_id") ?? COMPONENT;
  const width = graph.nodeColumns.length;
  return tableOfGraph({
    ...graph,
    nodeColumns: [...graph.nodeColumns, { name, type: "long" }],
    build: (edges, nodes) => marked(graph.build(edges, nodes), width, kind === "strong"),
  });
}

/** The graph with one more property of each node, before those that no query can name. */
function marked(graph: Graph, width: number, isStrong: boolean): Graph {
  for (const [node, component] of componentsOf(graph, isStrong)) {
    node.cells = node.cells.toSpliced(width, 0, component);
  }
  return graph;
}
