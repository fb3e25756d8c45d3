import { KqlError } from "../../kql-error.ts";
import type { KqlValue } from "../../types.ts";

type Row = readonly KqlValue[];

export interface GraphNode {
  /** Properties, then how many edges come in and go out. */
  cells: Row;
  readonly incoming: GraphEdge[];
  readonly outgoing: GraphEdge[];
}

export interface GraphEdge {
  readonly source: GraphNode;
  readonly target: GraphNode;
  readonly cells: Row;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export interface GraphInput {
  /** Source, target, then the properties. */
  readonly edges: readonly Row[];
  /** Key and properties. */
  readonly nodes: readonly Row[];
  /** The properties of a node that only edges name. */
  readonly implied: (key: KqlValue) => Row;
  readonly keyOf: (value: KqlValue) => string;
}

/** A graph of its edges; nodes of one key are one, and its first row counts. */
export function createGraph({ edges, nodes, implied, keyOf }: GraphInput): Graph {
  const byKey = new Map<string, GraphNode>();
  const nodeOf = (key: KqlValue, cells: () => Row): GraphNode => {
    const text = keyOf(key);
    const known = byKey.get(text);
    if (known !== undefined) return known;
    const made: GraphNode = { cells: cells(), incoming: [], outgoing: [] };
    byKey.set(text, made);
    return made;
  };
  for (const [key = null, ...cells] of nodes) nodeOf(key, () => cells);
  const all = edges.map(([from = null, to = null, ...cells]): GraphEdge => {
    const source = nodeOf(from, () => implied(from));
    const target = nodeOf(to, () => implied(to));
    const edge = { source, target, cells };
    source.outgoing.push(edge);
    target.incoming.push(edge);
    return edge;
  });
  for (const node of byKey.values()) {
    node.cells = [...node.cells, BigInt(node.incoming.length), BigInt(node.outgoing.length)];
  }
  return { nodes: [...byKey.values()], edges: all };
}

/** An edge of a pattern, from the node before it to the node behind. */
export interface EdgePattern {
  readonly name: string;
  readonly direction: "right" | "left" | "any";
  /** How many edges may stand one behind the other; 1 and 1 for a plain edge. */
  readonly least: number;
  readonly most: number;
}

export interface Pattern {
  readonly nodes: readonly string[];
  /** One fewer than nodes. */
  readonly edges: readonly EdgePattern[];
}

/** What the names of a pattern stand for in one match. */
export interface Match {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly paths: ReadonlyMap<string, Path>;
}

export interface Path {
  readonly edges: readonly GraphEdge[];
  /** The nodes between the edges. */
  readonly inner: readonly GraphNode[];
}

export interface MatchOptions {
  readonly cycles: "all" | "none" | "unique_edges";
  /** Whether what is bound so far, the newest name last, can still become a match. */
  readonly isPossible: (match: Match, name: string) => boolean;
}

/** Steps that the search for one pattern may take. */
const STEPS_MAX = 20_000_000;

interface Search extends MatchOptions {
  readonly graph: Graph;
  readonly nodes: Map<string, GraphNode>;
  readonly paths: Map<string, Path>;
  readonly used: Set<GraphEdge>;
  readonly found: (match: Match) => void;
  steps: number;
}

/** Calls `found` for every way in which all the patterns fit the graph together. */
export function matchPatterns(
  graph: Graph,
  patterns: readonly Pattern[],
  options: MatchOptions,
  found: (match: Match) => void,
): void {
  const [nodes, paths] = [new Map<string, GraphNode>(), new Map<string, Path>()];
  const search: Search = { ...options, graph, nodes, paths, used: new Set(), found, steps: 0 };
  matchPattern(search, patterns);
}

function matchPattern(search: Search, [pattern, ...rest]: readonly Pattern[]): void {
  if (pattern === undefined) {
    search.found({ nodes: new Map(search.nodes), paths: new Map(search.paths) });
    return;
  }
  const [first = ""] = pattern.nodes;
  const known = search.nodes.get(first);
  for (const node of known === undefined ? search.graph.nodes : [known]) {
    bind(search, first, node, () => {
      matchEdge(search, pattern, 0, () => {
        matchPattern(search, rest);
      });
    });
  }
}

/** Goes on when the name stands for this node and nothing speaks against it. */
function bind(search: Search, name: string, node: GraphNode, next: () => void): void {
  const known = search.nodes.get(name);
  if (known !== undefined) {
    if (known === node) next();
    return;
  }
  if (search.cycles === "none" && isVisited(search, node)) return;
  search.nodes.set(name, node);
  if (search.isPossible(search, name)) next();
  search.nodes.delete(name);
}

function isVisited({ nodes, paths }: Search, node: GraphNode): boolean {
  for (const one of nodes.values()) if (one === node) return true;
  for (const { inner } of paths.values()) if (inner.includes(node)) return true;
  return false;
}

function matchEdge(search: Search, pattern: Pattern, index: number, next: () => void): void {
  const edge = pattern.edges[index];
  const from = search.nodes.get(pattern.nodes[index] ?? "");
  if (edge === undefined || from === undefined) {
    next();
    return;
  }
  walk(search, edge, { at: from, edges: [], inner: [] }, (end, path) => {
    search.paths.set(edge.name, path);
    bind(search, pattern.nodes[index + 1] ?? "", end, () => {
      if (search.isPossible(search, edge.name)) matchEdge(search, pattern, index + 1, next);
    });
    search.paths.delete(edge.name);
  });
}

interface Walk extends Path {
  readonly at: GraphNode;
}

function walk(
  search: Search,
  pattern: EdgePattern,
  way: Walk,
  arrive: (end: GraphNode, path: Path) => void,
): void {
  const { at, edges, inner } = way;
  if (edges.length >= pattern.least) arrive(at, { edges, inner: inner.slice(1) });
  if (edges.length >= pattern.most) return;
  for (const { edge, to } of stepsFrom(at, pattern.direction)) {
    if (search.steps++ > STEPS_MAX) {
      throw new KqlError("limit", `The pattern takes more than ${STEPS_MAX} steps in this graph.`);
    }
    if (search.cycles !== "all" && search.used.has(edge)) continue;
    if (search.cycles === "none" && (to === at || inner.includes(to))) continue;
    search.used.add(edge);
    walk(search, pattern, { at: to, edges: [...edges, edge], inner: [...inner, at] }, arrive);
    search.used.delete(edge);
  }
}

function stepsFrom(node: GraphNode, direction: EdgePattern["direction"]) {
  const right = node.outgoing.map((edge) => ({ edge, to: edge.target }));
  const left = node.incoming.map((edge) => ({ edge, to: edge.source }));
  if (direction === "right") return right;
  return direction === "left" ? left : [...right, ...left];
}

/** Of the matches between the same two nodes, one of the fewest edges, or all of these. */
export function shortestMatches(
  found: readonly Match[],
  patterns: readonly Pattern[],
  isAll: boolean,
): Match[] {
  const [first = "", last = ""] = [patterns[0]?.nodes[0], patterns.at(-1)?.nodes.at(-1)];
  const byStart = Map.groupBy(found, ({ nodes }) => nodes.get(first));
  return [...byStart.values()].flatMap((starting) => {
    const byEnd = Map.groupBy(starting, ({ nodes }) => nodes.get(last));
    return [...byEnd.values()].flatMap((matches) => {
      const least = matches.reduce((low, match) => Math.min(low, lengthOf(match)), Infinity);
      const best = matches.filter((match) => lengthOf(match) === least);
      return isAll ? best : best.slice(0, 1);
    });
  });
}

function lengthOf({ paths }: Match): number {
  return [...paths.values()].reduce((sum, { edges }) => sum + edges.length, 0);
}
