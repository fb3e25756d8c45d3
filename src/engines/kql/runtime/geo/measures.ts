import { closestOnEdge, distanceToEdge, edgeLength, interpolate, type Edge } from "./edge.ts";
import { lineEdges, uniteLines, type LineShape } from "./line-shape.ts";
import { polygonContains, polygonEdges, type PolygonShape } from "./polygon-shape.ts";
import { regionEdges } from "./region.ts";
import { add, angleBetween, length, scale, type Vector } from "./vector.ts";
import { EARTH_RADIUS_METERS, vertexOf, type Vertex } from "./vertex.ts";

const ORIGIN: Vector = { x: 0, y: 0, z: 0 };

/** A sum of directions shorter than this has none. */
const DIRECTION_MIN = 1e-15;

/** Radians along all edges. */
export function lengthOf(edges: readonly Edge[]): number {
  return edges.reduce((sum, edge) => sum + edgeLength(edge), 0);
}

/** The edges of a line; of several parts, each stretch once. */
export function distinctLineEdges(line: LineShape): Edge[] {
  return lineEdges(line.parts.length > 1 ? uniteLines(line.parts) : line);
}

/** The point in the middle of the mass of edges; null when it is everywhere. */
export function centroidOfEdges(edges: readonly Edge[]): Vertex | null {
  // The mass of an arc lies in the direction of its middle, as far out as its chord is long.
  const sum = edges.reduce((total, edge) => {
    const middle = interpolate(edge, 0.5);
    return add(total, scale(middle, 2 * Math.sin(edgeLength(edge) / 2)));
  }, ORIGIN);
  return directionOf(sum);
}

export function perimeterOf(polygon: PolygonShape): number {
  return lengthOf(regionEdges(polygon.whole()));
}

/** Square metres. */
export function areaOf(polygon: PolygonShape): number {
  return polygon.whole().area() * EARTH_RADIUS_METERS ** 2;
}

export function centroidOfPolygon(polygon: PolygonShape): Vertex | null {
  return directionOf(polygon.whole().centroid());
}

/** The point of the edges closest to a point. */
export function closestPoint(point: Vertex, edges: readonly Edge[]): Vertex {
  let closest = point;
  let least = Infinity;
  for (const edge of edges) {
    const candidate = closestOnEdge(point, edge);
    const distance = angleBetween(point, candidate);
    if (distance < least) {
      least = distance;
      closest = [edge.from, edge.to].find((end) => end === candidate) ?? vertexOf(candidate);
    }
  }
  return closest;
}

/** Radians from a point to the closest of the edges. */
export function distanceToEdges(point: Vector, edges: readonly Edge[]): number {
  return edges.reduce((least, edge) => Math.min(least, distanceToEdge(point, edge)), Infinity);
}

/** Radians from a point to a polygon; 0 inside. */
export function distanceToPolygon(point: Vector, polygon: PolygonShape): number {
  return polygonContains(polygon, point) ? 0 : distanceToEdges(point, polygonEdges(polygon));
}

/** How far along a line the point closest to `point` is, from 0 to 1. */
export function locateOnLine(point: Vector, edges: readonly Edge[]): number {
  let passed = 0;
  let least = Infinity;
  let place = 0;
  for (const edge of edges) {
    const candidate = closestOnEdge(point, edge);
    const distance = angleBetween(point, candidate);
    if (distance < least) {
      least = distance;
      place = passed + angleBetween(edge.from, candidate);
    }
    passed += edgeLength(edge);
  }
  return passed === 0 ? 0 : Math.min(1, place / passed);
}

/** The point at a fraction of the length of a line. */
export function pointOnLine(edges: readonly Edge[], fraction: number): Vertex | null {
  // At the end the vertex itself: what is left after all subtractions need not be 0.
  let rest = fraction === 1 ? Infinity : lengthOf(edges) * fraction;
  for (const edge of edges) {
    const size = edgeLength(edge);
    if (rest <= 0) {
      return edge.from;
    }
    if (rest < size) {
      return vertexOf(interpolate(edge, rest / size));
    }
    rest -= size;
  }
  return edges.at(-1)?.to ?? null;
}

function directionOf(sum: Vector): Vertex | null {
  return length(sum) < DIRECTION_MIN ? null : vertexOf(sum);
}
