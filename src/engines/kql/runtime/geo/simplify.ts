import { distanceToEdge } from "./edge.ts";
import { areRingsValid } from "./region.ts";
import { angleBetween } from "./vector.ts";
import type { Vertex } from "./vertex.ts";

const RING_VERTICES_MIN = 3;

/** Halvings of the tolerance after which rings that still cross are left as they are. */
const ATTEMPTS_MAX = 16;

/** The line without vertices that are within `tolerance` radians; null when nothing is left. */
export function simplifyLine(vertices: readonly Vertex[], tolerance: number): Vertex[] | null {
  const first = vertices[0];
  const last = vertices.at(-1);
  if (first === undefined || last === undefined) {
    return null;
  }
  const isClosed = angleBetween(first, last) <= tolerance;
  const chain = isClosed ? simplifyClosed(vertices, tolerance) : simplifyOpen(vertices, tolerance);
  const apart = dropClose(chain, tolerance);
  return apart.length < 2 ? null : apart;
}

/** Rings without vertices that are within `tolerance` radians and without rings that vanish. */
export function simplifyRings(
  rings: readonly (readonly Vertex[])[],
  tolerance: number,
): Vertex[][] {
  let distance = tolerance;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const simple = rings
      .map((ring) => dropClose(simplifyClosed([...ring, ...ring.slice(0, 1)], distance), distance))
      .map((ring) => ring.slice(0, -1))
      .filter((ring) => ring.length >= RING_VERTICES_MIN);
    if (areRingsValid(simple)) {
      return simple;
    }
    distance /= 2;
  }
  return rings.map((ring) => [...ring]);
}

/** A closed chain has no two ends far apart: it is cut at the vertex farthest from the first. */
function simplifyClosed(vertices: readonly Vertex[], tolerance: number): Vertex[] {
  const [first] = vertices;
  if (first === undefined) {
    return [];
  }
  const far = indexOfGreatest(vertices, (vertex) => angleBetween(first, vertex));
  const there = simplifyOpen(vertices.slice(0, far + 1), tolerance);
  const back = simplifyOpen(vertices.slice(far), tolerance);
  return [...there, ...back.slice(1)];
}

/** Keeps both ends and, as long as a vertex is off by more than the tolerance, the farthest one. */
function simplifyOpen(vertices: readonly Vertex[], tolerance: number): Vertex[] {
  const kept = new Set([0, vertices.length - 1]);
  const open: [number, number][] = [[0, vertices.length - 1]];
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const [start, end] = range;
    const from = vertices[start];
    const to = vertices[end];
    if (from === undefined || to === undefined || end - start < 2) {
      continue;
    }
    const inner = vertices.slice(start + 1, end);
    const distance = (vertex: Vertex): number => distanceToEdge(vertex, { from, to });
    const index = indexOfGreatest(inner, distance);
    const farthest = inner[index];
    if (farthest !== undefined && distance(farthest) > tolerance) {
      const middle = start + 1 + index;
      kept.add(middle);
      open.push([start, middle], [middle, end]);
    }
  }
  return vertices.filter((_, index) => kept.has(index));
}

/** Drops vertices that are within the tolerance of the one before, but never the last one. */
function dropClose(chain: readonly Vertex[], tolerance: number): Vertex[] {
  const [last, ...others] = chain.toReversed();
  if (last === undefined) {
    return [];
  }
  const kept: Vertex[] = [];
  for (const vertex of others.toReversed()) {
    const before = kept.at(-1);
    if (before === undefined || angleBetween(before, vertex) > tolerance) {
      kept.push(vertex);
    }
  }
  const isApart = (vertex: Vertex): boolean => angleBetween(vertex, last) > tolerance;
  return [...kept.slice(0, kept.findLastIndex(isApart) + 1), last];
}

function indexOfGreatest(vertices: readonly Vertex[], measure: (vertex: Vertex) => number): number {
  let index = 0;
  let greatest = -Infinity;
  for (const [position, vertex] of vertices.entries()) {
    const value = measure(vertex);
    if (value > greatest) {
      greatest = value;
      index = position;
    }
  }
  return index;
}
