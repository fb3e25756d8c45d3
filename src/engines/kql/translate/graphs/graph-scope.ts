import { KqlError } from "../../kql-error.ts";
import { kindOf, nameOf, part, positionOf, type SyntaxNode } from "../../language/syntax.ts";
import type { Column } from "../../plan/relation.ts";
import { literal, type Scalar } from "../../plan/scalar.ts";
import type { KqlColumn } from "../../types.ts";
import { argumentsOf } from "../call-parts.ts";
import { unnamed } from "../operators/operator.ts";
import { lift, type Lifted } from "../lift.ts";
import { findColumn, use, type Scope, type Table, type Translation } from "../translation.ts";

/** Hidden properties of every node. */
const DEGREE_IN = "$in";
const DEGREE_OUT = "$out";

/** A value made of all edges of a path, or of the nodes between them. */
export interface Collected {
  readonly column: Column;
  readonly kind: "map" | "any" | "all";
  readonly path: string;
  readonly of: "edges" | "inner";
  /** The properties of one edge or node, which the value below is made of. */
  readonly element: readonly Column[];
  readonly value: Scalar;
}

/** What the expressions of a pattern's `where` and `project` are made of. */
export interface GraphScope {
  readonly rows: ReadonlyMap<string, Table>;
  readonly collected: Collected[];
  readonly lifted: Lifted[];
  readonly translate: (node: SyntaxNode) => Scalar;
}

export interface GraphNames {
  readonly table: Table;
  readonly nodeColumns: readonly KqlColumn[];
  readonly nodes: readonly string[];
  readonly edges: readonly string[];
  readonly paths: readonly string[];
}

/** All that the expressions of one pattern share. */
interface Names {
  readonly table: Table;
  readonly rows: ReadonlyMap<string, Table>;
  readonly paths: ReadonlySet<string>;
  readonly nodeColumns: readonly KqlColumn[];
  readonly collected: Collected[];
  readonly lifted: Lifted[];
  /** The state of the query, and the same in which expressions know the pattern. */
  readonly outer: Translation;
  readonly within: Translation;
}

/** Names of nodes and edges as rows, and the functions that only graphs have. */
export function graphScope(given: GraphNames, state: Translation): GraphScope {
  const { table } = given;
  const degrees = [DEGREE_IN, DEGREE_OUT].map((name): KqlColumn => ({ name, type: "long" }));
  const nodeColumns = [...given.nodeColumns, ...degrees];
  const rows = new Map([
    ...given.nodes.map((name): [string, Table] => [name, rowOf(table, nodeColumns, state)]),
    ...given.edges.map((name): [string, Table] => [name, rowOf(table, table.columns, state)]),
  ]);
  const [collected, lifted]: [Collected[], Lifted[]] = [[], []];
  const inner: unknown = Object.create(state, {
    scalar: {
      value: (node: SyntaxNode, scope: Scope): Scalar => scalarOf(node, scope, names),
    },
  });
  // The same state, in which expressions are translated through here.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const within = inner as Translation;
  const paths = new Set(given.paths);
  const names: Names = { table, rows, paths, nodeColumns, collected, lifted, outer: state, within };
  return {
    rows,
    collected,
    lifted,
    translate: (node) => lift(scalarOf(unnamed(node), { rows }, names), () => false, lifted, state),
  };
}

function rowOf(table: Table, columns: readonly KqlColumn[], state: Translation): Table {
  return { ...table, columns: columns.map(({ name, type }) => state.newColumn(name, type)) };
}

function scalarOf(node: SyntaxNode, scope: Scope, names: Names): Scalar {
  return graphValue(node, scope, names) ?? names.outer.scalar(node, scope, names.within);
}

function graphValue(node: SyntaxNode, scope: Scope, names: Names): Scalar | undefined {
  switch (kindOf(node)) {
    case "NameReference":
      return wholeRow(names.rows.get(nameOf(node)));
    case "PathExpression":
      return pathProperty(node, scope, names);
    case "FunctionCallExpression":
      return graphCall(node, scope, names);
    default:
      return undefined;
  }
}

function wholeRow(row: Table | undefined): Scalar | undefined {
  if (row === undefined) return undefined;
  const shown = row.columns.filter((column) => !column.name.startsWith("$"));
  const args = shown.flatMap((column) => [literal("string", column.name), use(column)]);
  return { kind: "call", name: "bag_pack", args, type: "dynamic" };
}

/** `path.property`: of every edge. */
function pathProperty(node: SyntaxNode, scope: Scope, names: Names): Scalar | undefined {
  const target = part(node, "Expression");
  if (kindOf(target) !== "NameReference" || !names.paths.has(nameOf(target))) return undefined;
  return collect({ kind: "map", target, value: part(node, "Selector") }, scope, names);
}

const COLLECTING: ReadonlyMap<string, Collected["kind"]> = new Map([
  ["map", "map"],
  ["any", "any"],
  ["all", "all"],
]);
const DEGREES: ReadonlyMap<string, string> = new Map([
  ["node_degree_in", DEGREE_IN],
  ["node_degree_out", DEGREE_OUT],
]);

function graphCall(node: SyntaxNode, scope: Scope, names: Names): Scalar | undefined {
  const name = nameOf(node);
  const [target, value] = argumentsOf(node);
  const degree = DEGREES.get(name);
  if (degree !== undefined) return degreeOf(degree, target, scope, names);
  const kind = COLLECTING.get(name);
  if (kind === undefined || target === undefined || value === undefined) return undefined;
  return collect({ kind, target, value }, scope, names);
}

function degreeOf(
  degree: string,
  target: SyntaxNode | undefined,
  scope: Scope,
  { rows }: Names,
): Scalar {
  const row = target === undefined ? scope.table : rows.get(nameOf(target));
  const column = row === undefined ? undefined : findColumn(row, degree);
  if (column === undefined) throw new KqlError("semantic", "The degree is one of a node.");
  return use(column);
}

interface Asked {
  readonly kind: Collected["kind"];
  readonly target: SyntaxNode;
  readonly value: SyntaxNode;
}

function collect({ kind, target, value }: Asked, scope: Scope, names: Names): Scalar {
  const { table, nodeColumns, outer, lifted, collected } = names;
  const isInner = kindOf(target) === "FunctionCallExpression" && nameOf(target) === "inner_nodes";
  const edge = isInner ? argumentsOf(target)[0] : target;
  const path = edge === undefined ? "" : nameOf(edge);
  if (!names.paths.has(path)) {
    throw new KqlError("semantic", `${kind}() works on an edge of variable length.`, {
      position: positionOf(target),
    });
  }
  const row = rowOf(table, isInner ? nodeColumns : table.columns, outer);
  const made = scalarOf(value, { ...scope, table: row }, names);
  const column = outer.newColumn("", kind === "map" ? "dynamic" : "bool");
  const of = isInner ? "inner" : "edges";
  const found = lift(made, () => false, lifted, outer);
  collected.push({ column, kind, path, of, element: row.columns, value: found });
  return use(column);
}
