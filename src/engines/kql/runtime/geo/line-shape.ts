import type { Json } from "../../types.ts";
import type { Path } from "./cut.ts";
import { edgesOfLine, isOnEdge, type Edge } from "./edge.ts";
import { linesJson, parseLineParts } from "./geojson.ts";
import { forNearPairsWithin } from "./near-pairs.ts";
import { dot, subtract } from "./vector.ts";
import type { Vertex } from "./vertex.ts";
import { createVertexPool, isSamePlace } from "./vertex-pool.ts";

/** Ends of an edge whose sum is shorter than this are opposite: no arc between them is shorter. */
const ANTIPODAL_COSINE = -1 + 1e-15;

const LINE_VERTICES_MIN = 2;

/** A line of one or more parts. */
export interface LineShape {
  readonly parts: readonly (readonly Vertex[])[];
}

const parsed = new WeakMap<object, LineShape | null>();

/** A line or multiline from its GeoJSON; null when invalid. Remembers what it has parsed. */
export function parseLine(value: Json): LineShape | null {
  if (typeof value !== "object" || value === null) {
    return null;
  }
  const known = parsed.get(value);
  if (known !== undefined) {
    return known;
  }
  const shape = buildLine(value);
  parsed.set(value, shape);
  return shape;
}

/** Whether every edge has one shortest way: no two neighbours opposite each other. */
export function areEdgesShort(edges: readonly Edge[]): boolean {
  return edges.every(({ from, to }) => dot(from, to) > ANTIPODAL_COSINE);
}

export function lineEdges({ parts }: LineShape): Edge[] {
  return parts.flatMap(edgesOfLine);
}

export function linePaths({ parts }: LineShape): Path[] {
  return parts.map((vertices) => ({ vertices, isRing: false }));
}

export function lineJson({ parts }: LineShape): Json {
  return linesJson(parts);
}

/** One line that passes once over every stretch that the parts pass over. */
export function uniteLines(parts: readonly (readonly Vertex[])[]): LineShape {
  return { parts: joinToLines(distinctEdges(parts.flatMap(edgesOfLine))) };
}

/** Joins edges to lines as long as they go on, in the order of the edges. */
export function joinToLines(edges: readonly Edge[]): Vertex[][] {
  const unused = new Set(edges);
  const leaving = Map.groupBy(edges, ({ from }) => from);
  const arriving = Map.groupBy(edges, ({ to }) => to);
  const surplus = ({ from }: Edge): boolean =>
    (leaving.get(from)?.length ?? 0) > (arriving.get(from)?.length ?? 0);
  const lines: Vertex[][] = [];
  // Lines begin where more edges leave than arrive; what then is left are closed ones.
  for (const start of [...edges.filter(surplus), ...edges]) {
    if (unused.has(start)) {
      lines.push(walkLine(start, leaving, unused));
    }
  }
  return lines;
}

function walkLine(
  start: Edge,
  leaving: ReadonlyMap<Vertex, readonly Edge[]>,
  unused: Set<Edge>,
): Vertex[] {
  const line = [start.from];
  let edge: Edge | undefined = start;
  while (edge !== undefined) {
    unused.delete(edge);
    const end: Vertex = edge.to;
    line.push(end);
    edge = leaving.get(end)?.find((way) => unused.has(way));
  }
  return line;
}

/** The edges cut where they overlap, each stretch once, in the direction that comes first. */
function distinctEdges(edges: readonly Edge[]): Edge[] {
  const pool = createVertexPool();
  const places = edges.map(({ from, to }) => ({ from: pool.take(from), to: pool.take(to) }));
  const cuts = new Map<Edge, Vertex[]>(places.map((edge) => [edge, []]));
  forNearPairsWithin(places, (a, b) => {
    const onA = [b.from, b.to].filter((vertex) => isOnEdge(vertex, a));
    const onB = [a.from, a.to].filter((vertex) => isOnEdge(vertex, b));
    if (new Set([...onA, ...onB]).size > 1) {
      cuts.get(a)?.push(...onA);
      cuts.get(b)?.push(...onB);
    }
  });
  const seen = new Map<Vertex, Set<Vertex>>();
  return places
    .flatMap((edge) => edgesOfLine(alongEdge(edge, cuts.get(edge) ?? [])))
    .filter(({ from, to }) => from !== to && isNew(seen, from, to));
}

function alongEdge({ from, to }: Edge, cuts: readonly Vertex[]): Vertex[] {
  const distance = (vertex: Vertex): number => {
    const way = subtract(vertex, from);
    return dot(way, way);
  };
  const inside = [...new Set(cuts)].filter((vertex) => vertex !== from && vertex !== to);
  return [from, ...inside.toSorted((a, b) => distance(a) - distance(b)), to];
}

function isNew(seen: Map<Vertex, Set<Vertex>>, from: Vertex, to: Vertex): boolean {
  if (seen.get(from)?.has(to) === true || seen.get(to)?.has(from) === true) {
    return false;
  }
  seen.set(from, (seen.get(from) ?? new Set()).add(to));
  return true;
}

function buildLine(value: Json): LineShape | null {
  const parts = parseLineParts(value)?.map(withoutRepeats) ?? [];
  const isValid = parts.every(
    (part) => part.length >= LINE_VERTICES_MIN && areEdgesShort(edgesOfLine(part)),
  );
  return parts.length > 0 && isValid ? { parts } : null;
}

function withoutRepeats(vertices: readonly Vertex[]): Vertex[] {
  const kept: Vertex[] = [];
  for (const vertex of vertices) {
    const before = kept.at(-1);
    if (before === undefined || !isSamePlace(before, vertex)) {
      kept.push(vertex);
    }
  }
  return kept;
}
