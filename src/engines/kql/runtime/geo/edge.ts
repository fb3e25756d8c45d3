import {
  add,
  angleBetween,
  cross,
  dot,
  length,
  normalOf,
  normalize,
  scale,
  subtract,
  type Vector,
} from "./vector.ts";
import { SNAP_RADIANS, vertexOf, type Vertex } from "./vertex.ts";

/** The shorter arc of the great circle through two vertices. */
export interface Edge {
  readonly from: Vertex;
  readonly to: Vertex;
}

export function edgesOfLine(vertices: readonly Vertex[]): Edge[] {
  const edges: Edge[] = [];
  let from: Vertex | undefined;
  for (const to of vertices) {
    if (from !== undefined) {
      edges.push({ from, to });
    }
    from = to;
  }
  return edges;
}

export function edgesOfRing(vertices: readonly Vertex[]): Edge[] {
  return edgesOfLine([...vertices, ...vertices.slice(0, 1)]);
}

export function edgeLength({ from, to }: Edge): number {
  return angleBetween(from, to);
}

/** The point of the edge that is closest to `point`. */
export function closestOnEdge(point: Vector, { from, to }: Edge): Vector {
  const normal = normalOf(from, to);
  if (isBetween(point, from, to, normal)) {
    const flat = subtract(point, scale(normal, dot(point, normal)));
    if (length(flat) > 0) {
      return normalize(flat);
    }
  }
  const toFrom = subtract(point, from);
  const toTo = subtract(point, to);
  return dot(toFrom, toFrom) <= dot(toTo, toTo) ? from : to;
}

/** Radians from a point to the closest point of an edge. */
export function distanceToEdge(point: Vector, edge: Edge): number {
  return angleBetween(point, closestOnEdge(point, edge));
}

/** Radians between two edges; 0 where they meet. */
export function distanceBetweenEdges(a: Edge, b: Edge): number {
  if (crossingOf(a, b) !== null) {
    return 0;
  }
  return Math.min(
    distanceToEdge(a.from, b),
    distanceToEdge(a.to, b),
    distanceToEdge(b.from, a),
    distanceToEdge(b.to, a),
  );
}

export function isOnEdge(point: Vector, edge: Edge): boolean {
  return length(subtract(point, closestOnEdge(point, edge))) <= SNAP_RADIANS;
}

/** Where two edges cross in the interior of both; null when they do not. */
export function crossingOf(a: Edge, b: Edge): Vertex | null {
  const normalA = normalOf(a.from, a.to);
  const normalB = normalOf(b.from, b.to);
  const isApart =
    dot(normalA, b.from) * dot(normalA, b.to) >= 0 ||
    dot(normalB, a.from) * dot(normalB, a.to) >= 0;
  if (isApart) {
    return null;
  }
  const line = normalize(cross(normalA, normalB));
  const middle = add(add(a.from, a.to), add(b.from, b.to));
  const meeting = dot(line, middle) >= 0 ? line : scale(line, -1);
  const isOnBoth =
    isBetween(meeting, a.from, a.to, normalA) && isBetween(meeting, b.from, b.to, normalB);
  return isOnBoth ? vertexOf(meeting) : null;
}

/** The point at a fraction of the way along an edge. */
export function interpolate({ from, to }: Edge, fraction: number): Vector {
  const angle = angleBetween(from, to);
  if (angle === 0) {
    return from;
  }
  const sine = Math.sin(angle);
  return normalize(
    add(
      scale(from, Math.sin((1 - fraction) * angle) / sine),
      scale(to, Math.sin(fraction * angle) / sine),
    ),
  );
}

/** Whether a point, brought down to the great circle, is on the arc; never on one of no length. */
function isBetween(point: Vector, from: Vector, to: Vector, normal: Vector): boolean {
  if (length(normal) === 0) {
    return false;
  }
  return dot(cross(normal, from), point) >= 0 && dot(cross(to, normal), point) >= 0;
}
