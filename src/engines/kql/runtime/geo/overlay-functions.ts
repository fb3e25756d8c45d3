import type { Json } from "../../types.ts";
import { runtimeFunction, type RuntimeFunction } from "../runtime-function.ts";
import { meetingsOf } from "./cut.ts";
import type { Edge } from "./edge.ts";
import { collectionJson, linesJson, pointsJson } from "./geojson.ts";
import { joinToLines, lineEdges, linePaths, parseLine, uniteLines } from "./line-shape.ts";
import { forNearPairs } from "./near-pairs.ts";
import {
  intersectPaths,
  intersectPathsWithRegion,
  intersectRegions,
  type Common,
} from "./overlay.ts";
import {
  parsePolygon,
  polygonContains,
  polygonEdges,
  regionJson,
  type PolygonShape,
} from "./polygon-shape.ts";

/** Whether two shapes have a point in common, and what they have in common. */
export const overlayFunctions: readonly RuntimeFunction[] = [
  runtimeFunction("geo_intersects_2lines", ["dynamic", "dynamic"], "bool", (first, second) => {
    const a = parseLine(first);
    const b = parseLine(second);
    return a && b && doEdgesMeet(lineEdges(a), lineEdges(b));
  }),
  runtimeFunction(
    "geo_intersects_line_with_polygon",
    ["dynamic", "dynamic"],
    "bool",
    (first, second) => {
      const line = parseLine(first);
      const polygon = parsePolygon(second);
      if (line === null || polygon === null) {
        return null;
      }
      const edges = lineEdges(line);
      return holdsSome(polygon, edges) || doEdgesMeet(edges, polygonEdges(polygon));
    },
  ),
  runtimeFunction("geo_intersects_2polygons", ["dynamic", "dynamic"], "bool", (first, second) => {
    const a = parsePolygon(first);
    const b = parsePolygon(second);
    if (a === null || b === null) {
      return null;
    }
    const isInside = holdsSome(a, polygonEdges(b)) || holdsSome(b, polygonEdges(a));
    return isInside || doEdgesMeet(polygonEdges(a), polygonEdges(b));
  }),
  runtimeFunction("geo_intersection_2lines", ["dynamic", "dynamic"], "dynamic", (first, second) => {
    const a = parseLine(first);
    const b = parseLine(second);
    return a && b && commonJson(intersectPaths(linePaths(uniteLines(a.parts)), linePaths(b)));
  }),
  runtimeFunction(
    "geo_intersection_line_with_polygon",
    ["dynamic", "dynamic"],
    "dynamic",
    (first, second) => {
      const line = parseLine(first);
      const polygon = parsePolygon(second);
      return (
        line &&
        polygon &&
        commonJson(intersectPathsWithRegion(linePaths(uniteLines(line.parts)), polygon.whole()))
      );
    },
  ),
  runtimeFunction(
    "geo_intersection_2polygons",
    ["dynamic", "dynamic"],
    "dynamic",
    (first, second) => {
      const a = parsePolygon(first);
      const b = parsePolygon(second);
      return a && b && commonJson(intersectRegions(a.whole(), b.whole()));
    },
  ),
];

function doEdgesMeet(first: readonly Edge[], second: readonly Edge[]): boolean {
  let isMet = false;
  forNearPairs(first, second, (a, b) => {
    isMet ||= meetingsOf(a, b).length > 0;
  });
  return isMet;
}

function holdsSome(polygon: PolygonShape, edges: readonly Edge[]): boolean {
  return edges.some(({ from }) => polygonContains(polygon, from));
}

/** Points, lines and polygons, each kind as one geometry. */
function commonJson({ points, lines, region }: Common): Json {
  const geometries: Json[] = [];
  if (points.length > 0) {
    geometries.push(pointsJson(points));
  }
  if (lines.length > 0) {
    geometries.push(linesJson(joinToLines(lines)));
  }
  if (region !== null) {
    geometries.push(regionJson(region));
  }
  return collectionJson(geometries);
}
