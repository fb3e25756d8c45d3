import { runtimeFunction, type RuntimeFunction } from "../runtime-function.ts";
import { encodeGeohash, geohashCenter, geohashNeighbors, geohashPolygon } from "./geohash.ts";
import {
  h3CellCenter,
  h3CellChildren,
  h3CellLevel,
  h3CellNeighbors,
  h3CellOf,
  h3CellParent,
  h3CellPolygon,
  h3CellRings,
} from "./h3-cells.ts";
import { DEFAULT_GEOHASH_ACCURACY, DEFAULT_H3_RESOLUTION, DEFAULT_S2_LEVEL } from "./limits.ts";
import { withOptional } from "./optional.ts";
import { s2CellCenter, s2CellNeighbors, s2CellOf, s2CellPolygon } from "./s2-cells.ts";
import { vertexAt } from "./vertex.ts";

/** Geohashes, S2 cells and H3 cells. */
export const cellFunctions: readonly RuntimeFunction[] = [
  ...withOptional(
    runtimeFunction(
      "geo_point_to_geohash",
      ["real", "real", "real"],
      "string",
      (lng, lat, accuracy = DEFAULT_GEOHASH_ACCURACY) => encodeGeohash(lng, lat, accuracy),
    ),
    1,
  ),
  runtimeFunction("geo_geohash_to_central_point", ["string"], "dynamic", geohashCenter),
  runtimeFunction("geo_geohash_to_polygon", ["string"], "dynamic", geohashPolygon),
  runtimeFunction("geo_geohash_neighbors", ["string"], "dynamic", geohashNeighbors),
  ...withOptional(
    runtimeFunction(
      "geo_point_to_s2cell",
      ["real", "real", "real"],
      "string",
      (lng, lat, level = DEFAULT_S2_LEVEL) => s2CellOf(vertexAt(lng, lat), level),
    ),
    1,
  ),
  runtimeFunction("geo_s2cell_to_central_point", ["string"], "dynamic", s2CellCenter),
  runtimeFunction("geo_s2cell_to_polygon", ["string"], "dynamic", s2CellPolygon),
  runtimeFunction("geo_s2cell_neighbors", ["string"], "dynamic", s2CellNeighbors),
  ...withOptional(
    runtimeFunction(
      "geo_point_to_h3cell",
      ["real", "real", "real"],
      "string",
      (lng, lat, resolution = DEFAULT_H3_RESOLUTION) => h3CellOf(vertexAt(lng, lat), resolution),
    ),
    1,
  ),
  runtimeFunction("geo_h3cell_to_central_point", ["string"], "dynamic", h3CellCenter),
  runtimeFunction("geo_h3cell_to_polygon", ["string"], "dynamic", h3CellPolygon),
  runtimeFunction("geo_h3cell_neighbors", ["string"], "dynamic", h3CellNeighbors),
  runtimeFunction("geo_h3cell_rings", ["string", "real"], "dynamic", h3CellRings),
  ...withOptional(
    runtimeFunction("geo_h3cell_children", ["string", "real"], "dynamic", h3CellChildren),
    1,
  ),
  ...withOptional(
    runtimeFunction("geo_h3cell_parent", ["string", "real"], "string", h3CellParent),
    1,
  ),
  runtimeFunction("geo_h3cell_level", ["string"], "int", h3CellLevel),
];
