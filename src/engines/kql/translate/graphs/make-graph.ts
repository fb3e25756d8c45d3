import { KqlError } from "../../kql-error.ts";
import { kindOf, maybe, nameOf, part, parts, type SyntaxNode } from "../../language/syntax.ts";
import type { Scalar } from "../../plan/scalar.ts";
import { createGraph, type Graph } from "../../runtime/rows/graph.ts";
import type { KqlColumn, KqlValue } from "../../types.ts";
import { findColumn, translateTabular, use, type Table, type Translation } from "../translation.ts";
import { renewed } from "../table-shapes.ts";
import { valueKey, type Row, type RowSource } from "../operators/computed-rows.ts";
import { inputOf, scalarOver } from "../operators/operator.ts";

/** What `make-graph` describes: rows of edges, rows of nodes, and how to build a graph of them. */
export interface GraphPlan {
  readonly edges: Table;
  readonly nodeColumns: readonly KqlColumn[];
  /** The edges, then each table of nodes. */
  readonly sources: readonly [RowSource, ...RowSource[]];
  readonly build: (edges: readonly Row[], nodes: readonly (readonly Row[])[]) => Graph;
}

// A graph is no table; what follows in the pipe finds it by the table that stands for it.
const graphs = new WeakMap<Table, GraphPlan>();

export function isGraph(table: Table): boolean {
  return graphs.has(table);
}

export function graphOf(input: Table | undefined, node: SyntaxNode): GraphPlan {
  const found = input === undefined ? undefined : graphs.get(input);
  if (found !== undefined) return found;
  throw new KqlError("semantic", `${nameOf(node)} works on the graph of a make-graph before it.`);
}

export function makeGraph(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const edges = inputOf(input, node);
  if (maybe(node, "PartitionedByClause") !== undefined) {
    throw new KqlError("unsupported", "make-graph partitioned-by is not supported.");
  }
  const ends = ["SourceColumn", "TargetColumn"].map((name) => {
    return scalarOver(part(node, name), edges, state);
  });
  const clause = maybe(node, "WithClause");
  const isImplicit = clause !== undefined && kindOf(clause) === "MakeGraphWithImplicitIdClause";
  const [source] = ends;
  const key: KqlColumn | undefined =
    isImplicit && source !== undefined
      ? { name: nameOf(part(clause, "Name")), type: source.type }
      : undefined;
  const tables =
    clause === undefined || isImplicit
      ? []
      : parts(clause, "TablesAndKeys").map((one) => nodeTable(one, state));
  const nodeColumns = key === undefined ? columnsOfAll(tables) : [key];
  const keyNames = key === undefined ? tables.map(({ keyName }) => keyName) : [key.name];
  const implied = (value: KqlValue): Row =>
    nodeColumns.map(({ name, type }) => {
      if (keyNames.includes(name)) return value;
      return type === "string" ? "" : null;
    });
  const plan: GraphPlan = {
    edges,
    nodeColumns,
    sources: [
      { table: edges, values: [...ends, ...edges.columns.map(use)] },
      ...tables.map(({ table, key: value }) => ({
        table,
        values: [value, ...nodeColumns.map(({ name, type }) => valueOr(table, name, type))],
      })),
    ],
    build: (edgeRows, nodeRows) => {
      const width = 2 + edges.columns.length;
      const nodes = nodeRows.flat().map((row) => row.slice(0, 1 + nodeColumns.length));
      const own = edgeRows.map((row) => row.slice(0, width));
      return createGraph({ edges: own, nodes, implied, keyOf: valueKey });
    },
  };
  return tableOfGraph(plan);
}

/** The table that stands for a graph. */
export function tableOfGraph(plan: GraphPlan): Table {
  const graph = { ...plan.edges };
  graphs.set(graph, plan);
  return graph;
}

interface NodeTable {
  readonly table: Table;
  readonly key: Scalar;
  readonly keyName: string;
}

function nodeTable(node: SyntaxNode, state: Translation): NodeTable {
  const table = renewed(translateTabular(part(node, "Table"), state), state);
  const column = part(node, "Column");
  return { table, key: scalarOver(column, table, state), keyName: nameOf(column) };
}

function columnsOfAll(tables: readonly NodeTable[]): KqlColumn[] {
  const all = new Map<string, KqlColumn>();
  for (const { name, type } of tables.flatMap(({ table }) => table.columns)) {
    if (!all.has(name)) all.set(name, { name, type });
  }
  return [...all.values()];
}

function valueOr(table: Table, name: string, type: KqlColumn["type"]): Scalar {
  const column = findColumn(table, name);
  if (column?.type === type) return use(column);
  return { kind: "literal", type, value: type === "string" ? "" : null };
}
