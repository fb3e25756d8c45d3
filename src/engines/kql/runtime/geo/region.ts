import { s2 } from "s2js";
import { meetingsOf, type Path } from "./cut.ts";
import { edgesOfRing, type Edge } from "./edge.ts";
import { forNearPairsWithin } from "./near-pairs.ts";
import type { Vector } from "./vector.ts";
import type { Vertex } from "./vertex.ts";
import { createVertexPool } from "./vertex-pool.ts";

const RING_VERTICES_MIN = 3;

/** A closed region of the sphere whose rings do not cross. */
export interface Region {
  /** Shells counterclockwise, holes clockwise; a ring is followed by the rings inside it. */
  readonly rings: readonly Ring[];
  /** Whether a point is inside; each point of a boundary belongs to one side of it only. */
  readonly contains: (point: Vector) => boolean;
  /** Square radians times the Earth's radius squared is the area. */
  readonly area: () => number;
  /** Centre of mass times area; not of unit length. */
  readonly centroid: () => Vector;
}

interface Ring {
  readonly vertices: readonly Vertex[];
  /** How many rings are around it: even for a shell, odd for a hole. */
  readonly depth: number;
}

/** The region that rings bound: of the two sides of each ring the smaller one counts. */
export function regionOf(rings: readonly (readonly Vertex[])[]): Region {
  const sources = new Map<s2.Loop, readonly Vertex[]>();
  for (const vertices of rings) {
    const loop = new s2.Loop(vertices.map(toPoint));
    const isNormal = loop.isNormalized();
    const oriented = isNormal ? vertices : vertices.toReversed();
    sources.set(isNormal ? loop : new s2.Loop(oriented.map(toPoint)), oriented);
  }
  const polygon = new s2.Polygon([...sources.keys()]);
  const nested = polygon.loops.map((loop) => {
    const vertices = sources.get(loop) ?? [];
    return { vertices: loop.isHole() ? vertices.toReversed() : vertices, depth: loop.depth };
  });
  return {
    rings: nested,
    contains: (point) => polygon.containsPoint(toPoint(point)),
    area: () => polygon.area(),
    centroid: () => polygon.centroid().vector,
  };
}

export function regionPaths({ rings }: Region): Path[] {
  return rings.map(({ vertices }) => ({ vertices, isRing: true }));
}

export function regionEdges({ rings }: Region): Edge[] {
  return rings.flatMap(({ vertices }) => edgesOfRing(vertices));
}

/** Whether rings can bound a region: distinct vertices, no crossing and no edge in common. */
export function areRingsValid(rings: readonly (readonly Vertex[])[]): boolean {
  const pool = createVertexPool();
  const places = rings.map((ring) => ring.map((vertex) => pool.take(vertex)));
  let isValid = places.every(
    (ring) => ring.length >= RING_VERTICES_MIN && new Set(ring).size === ring.length,
  );
  forNearPairsWithin(isValid ? places.flatMap(edgesOfRing) : [], (a, b) => {
    isValid &&= !isConflict(a, b);
  });
  return isValid;
}

/** Edges of valid rings may touch in one point, which is an end of one of them. */
function isConflict(a: Edge, b: Edge): boolean {
  const [meeting, ...more] = new Set(meetingsOf(a, b));
  return more.length > 0 || (meeting !== undefined && !isEnd(meeting, a) && !isEnd(meeting, b));
}

function isEnd(vertex: Vertex, { from, to }: Edge): boolean {
  return vertex === from || vertex === to;
}

function toPoint({ x, y, z }: Vector): s2.Point {
  return new s2.Point(x, y, z);
}
