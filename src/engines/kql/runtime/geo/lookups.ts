import type { Json } from "../../types.ts";
import type { Edge } from "./edge.ts";
import { lineEdges, parseLine } from "./line-shape.ts";
import { distanceToEdges } from "./measures.ts";
import { parsePolygon, polygonContains, polygonEdges } from "./polygon-shape.ts";
import { add, angleBetween, dot, length, normalize, subtract, type Vector } from "./vector.ts";
import { metersToRadians, vertexAt } from "./vertex.ts";

/** A share by which bounding circles are drawn too large, against rounding. */
const CAP_MARGIN = 1 + 1e-9;

/** Positions of the shapes that match a point, in their order; none for an invalid point. */
export type GeoLookup = (lng: number, lat: number) => number[];

interface Target {
  readonly index: number;
  readonly isNear: (point: Vector) => boolean;
  readonly matches: (point: Vector) => boolean;
}

/** Prepares lines for finding those within `radiusMeters` of a point. Invalid lines match none. */
export function createLineLookup(lines: readonly Json[], radiusMeters: number): GeoLookup {
  const radius = metersToRadians(radiusMeters);
  return lookupIn(
    lines.flatMap((value, index) => {
      const line = parseLine(value);
      if (line === null) {
        return [];
      }
      const edges = lineEdges(line);
      const matches = (point: Vector): boolean => distanceToEdges(point, edges) <= radius;
      return [{ index, isNear: boundOf(edges, radius), matches }];
    }),
  );
}

/**
 * Prepares polygons for finding those that contain a point or, with a radius, those within so many
 * metres of it. Invalid polygons match none.
 */
export function createPolygonLookup(
  polygons: readonly Json[],
  radiusMeters?: number | null,
): GeoLookup {
  const radius = metersToRadians(radiusMeters ?? 0);
  return lookupIn(
    polygons.flatMap((value, index) => {
      const polygon = parsePolygon(value);
      if (polygon === null) {
        return [];
      }
      const edges = polygonEdges(polygon);
      const isClose = (point: Vector): boolean =>
        typeof radiusMeters === "number" && distanceToEdges(point, edges) <= radius;
      const matches = (point: Vector): boolean => polygonContains(polygon, point) || isClose(point);
      return [{ index, isNear: boundOf(edges, radius), matches }];
    }),
  );
}

function lookupIn(targets: readonly Target[]): GeoLookup {
  return (lng, lat) => {
    const point = vertexAt(lng, lat);
    return point === null
      ? []
      : targets
          .filter(({ isNear, matches }) => isNear(point) && matches(point))
          .map(({ index }) => index);
  };
}

/** Whether a point is in a circle around all edges and the radius; a circle may be the sphere. */
function boundOf(edges: readonly Edge[], radius: number): (point: Vector) => boolean {
  const sum = edges.reduce<Vector>((total, { from }) => add(total, from), { x: 0, y: 0, z: 0 });
  if (length(sum) === 0) {
    return () => true;
  }
  const center = normalize(sum);
  const farthest = edges.reduce(
    (most, { from, to }) => Math.max(most, angleBetween(center, from), angleBetween(center, to)),
    0,
  );
  // A circle of less than a quarter holds with the ends of an arc the arc, and a boundary's inside.
  if (farthest >= Math.PI / 2) {
    return () => true;
  }
  // The square of the straight distance: cheap, and precise for the smallest circles.
  const reach = Math.min(Math.PI, farthest * CAP_MARGIN + radius);
  const limit = (2 * Math.sin(reach / 2)) ** 2;
  return (point) => {
    const way = subtract(point, center);
    return dot(way, way) <= limit;
  };
}
