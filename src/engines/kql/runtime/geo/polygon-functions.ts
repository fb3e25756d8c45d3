import type { Json } from "../../types.ts";
import { runtimeFunction, type RuntimeFunction } from "../runtime-function.ts";
import { bufferEdges, bufferSize } from "./buffer.ts";
import { DENSIFIED_VERTICES_MAX, densify } from "./densify.ts";
import { parsePolygonParts, pointJson, polygonsJson } from "./geojson.ts";
import { coverWithH3Cells } from "./h3-covering.ts";
import { isH3Resolution } from "./h3-cells.ts";
import {
  DEFAULT_H3_RESOLUTION,
  DEFAULT_S2_LEVEL,
  DEFAULT_TOLERANCE_METERS,
  isDensifyTolerance,
  isSimplifyTolerance,
} from "./limits.ts";
import {
  areaOf,
  centroidOfPolygon,
  closestPoint,
  distanceToPolygon,
  perimeterOf,
} from "./measures.ts";
import { withOptional } from "./optional.ts";
import {
  parsePolygon,
  polygonContains,
  polygonEdges,
  polygonOf,
  regionJson,
  uniteAll,
  type PolygonShape,
} from "./polygon-shape.ts";
import { regionEdges, regionOf, type Region } from "./region.ts";
import { isS2Level } from "./s2-cells.ts";
import { coverWithS2Cells } from "./s2-covering.ts";
import { simplifyRings } from "./simplify.ts";
import { metersToRadians, radiansToMeters, vertexAt } from "./vertex.ts";

export const polygonFunctions: readonly RuntimeFunction[] = [
  runtimeFunction("geo_polygon_area", ["dynamic"], "real", (value) => {
    const polygon = parsePolygon(value);
    return polygon && areaOf(polygon);
  }),
  runtimeFunction("geo_polygon_perimeter", ["dynamic"], "real", (value) => {
    const polygon = parsePolygon(value);
    return polygon && radiansToMeters(perimeterOf(polygon));
  }),
  runtimeFunction("geo_polygon_centroid", ["dynamic"], "dynamic", (value) => {
    const polygon = parsePolygon(value);
    const center = polygon && centroidOfPolygon(polygon);
    return center && pointJson(center);
  }),
  runtimeFunction(
    "geo_point_in_polygon",
    ["real", "real", "dynamic"],
    "bool",
    (lng, lat, value) => {
      const point = vertexAt(lng, lat);
      const polygon = parsePolygon(value);
      return point && polygon && polygonContains(polygon, point);
    },
  ),
  runtimeFunction(
    "geo_distance_point_to_polygon",
    ["real", "real", "dynamic"],
    "real",
    (lng, lat, value) => {
      const point = vertexAt(lng, lat);
      const polygon = parsePolygon(value);
      return point && polygon && radiansToMeters(distanceToPolygon(point, polygon));
    },
  ),
  runtimeFunction(
    "geo_closest_point_on_polygon",
    ["real", "real", "dynamic"],
    "dynamic",
    (lng, lat, value) => {
      const point = vertexAt(lng, lat);
      const polygon = parsePolygon(value);
      if (point === null || polygon === null) {
        return null;
      }
      const isInside = polygonContains(polygon, point);
      return pointJson(isInside ? point : closestPoint(point, polygonEdges(polygon)));
    },
  ),
  ...withOptional(
    runtimeFunction(
      "geo_polygon_densify",
      ["dynamic", "real", "bool"],
      "dynamic",
      (value, tolerance = DEFAULT_TOLERANCE_METERS, keepCrossing = false) =>
        parsePolygon(value) !== null && isDensifyTolerance(tolerance)
          ? densifyPolygon(value, tolerance, keepCrossing)
          : null,
    ),
    2,
  ),
  ...withOptional(
    runtimeFunction(
      "geo_polygon_simplify",
      ["dynamic", "real"],
      "dynamic",
      (value, tolerance = DEFAULT_TOLERANCE_METERS) => {
        const polygon = parsePolygon(value);
        return polygon && isSimplifyTolerance(tolerance)
          ? simplify(polygon.whole(), tolerance)
          : null;
      },
    ),
    1,
  ),
  ...withOptional(
    runtimeFunction(
      "geo_simplify_polygons_array",
      ["dynamic", "real"],
      "dynamic",
      (values, tolerance = DEFAULT_TOLERANCE_METERS) => {
        const polygons = parsePolygons(values);
        return polygons && isSimplifyTolerance(tolerance)
          ? simplify(unite(polygons), tolerance)
          : null;
      },
    ),
    1,
  ),
  runtimeFunction("geo_union_polygons_array", ["dynamic"], "dynamic", (values) => {
    const polygons = parsePolygons(values);
    return polygons && regionJson(unite(polygons));
  }),
  ...withOptional(
    runtimeFunction(
      "geo_polygon_buffer",
      ["dynamic", "real", "real"],
      "dynamic",
      (value, radius, tolerance = DEFAULT_TOLERANCE_METERS) => {
        const polygon = parsePolygon(value);
        const buffered = polygon && buffer(polygon, radius, tolerance);
        return buffered && regionJson(buffered);
      },
    ),
    1,
  ),
  ...withOptional(
    runtimeFunction(
      "geo_polygon_to_s2cells",
      ["dynamic", "real", "real"],
      "dynamic",
      (value, level = DEFAULT_S2_LEVEL, radius = 0) => {
        const polygon = parsePolygon(value);
        if (polygon === null || !isS2Level(level) || !(radius >= 0)) {
          return null;
        }
        const shape = {
          edges: polygonEdges(polygon),
          contains: (point: Parameters<Region["contains"]>[0]) => polygonContains(polygon, point),
          radius: metersToRadians(radius),
        };
        return coverWithS2Cells(shape, level);
      },
    ),
    2,
  ),
  ...withOptional(
    runtimeFunction(
      "geo_polygon_to_h3cells",
      ["dynamic", "real", "real"],
      "dynamic",
      (value, resolution = DEFAULT_H3_RESOLUTION, radius = 0) => {
        const polygon = parsePolygon(value);
        if (polygon === null || !isH3Resolution(resolution) || !(radius >= 0)) {
          return null;
        }
        const region = radius > 0 ? buffer(polygon, radius, DEFAULT_TOLERANCE_METERS) : null;
        return coverWithH3Cells(region === null ? polygon : polygonOf([region]), resolution);
      },
    ),
    2,
  ),
];

function parsePolygons(values: Json): PolygonShape[] | null {
  const polygons = Array.isArray(values) ? (values as readonly Json[]).map(parsePolygon) : [];
  const valid = polygons.filter((polygon) => polygon !== null);
  return polygons.length > 0 && valid.length === polygons.length ? valid : null;
}

function unite(polygons: readonly PolygonShape[]): Region {
  return uniteAll(polygons.flatMap(({ parts }) => parts));
}

function buffer(polygon: PolygonShape, radius: number, tolerance: number): Region | null {
  const size = bufferSize(radius, tolerance);
  const whole = polygon.whole();
  return size && bufferEdges(regionEdges(whole), [whole], size);
}

function simplify({ rings }: Region, tolerance: number): Json {
  const radians = metersToRadians(tolerance);
  const simple = simplifyRings(
    rings.map(({ vertices }) => vertices),
    radians,
  );
  return simple.length === 0 ? null : regionJson(regionOf(simple));
}

/** Works on the polygon as written: a flat map does not choose the smaller side of a ring. */
function densifyPolygon(value: Json, tolerance: number, keepCrossing: boolean): Json {
  const dense = (parsePolygonParts(value) ?? []).map((rings) =>
    rings.map((ring) => densify(ring, metersToRadians(tolerance), keepCrossing).slice(0, -1)),
  );
  const count = dense.flat().reduce((sum, ring) => sum + ring.length, 0);
  return count > DENSIFIED_VERTICES_MAX ? null : polygonsJson(dense);
}
