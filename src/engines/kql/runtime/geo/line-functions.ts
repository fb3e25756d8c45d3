import type { Json } from "../../types.ts";
import { runtimeFunction, type RuntimeFunction } from "../runtime-function.ts";
import { bufferEdges, bufferSize } from "./buffer.ts";
import { DENSIFIED_VERTICES_MAX, densify } from "./densify.ts";
import { linesJson, pointJson } from "./geojson.ts";
import {
  DEFAULT_S2_LEVEL,
  DEFAULT_TOLERANCE_METERS,
  isDensifyTolerance,
  isSimplifyTolerance,
} from "./limits.ts";
import { lineEdges, lineJson, parseLine, uniteLines, type LineShape } from "./line-shape.ts";
import {
  centroidOfEdges,
  closestPoint,
  distanceToEdges,
  distinctLineEdges,
  lengthOf,
  locateOnLine,
  pointOnLine,
} from "./measures.ts";
import { withOptional } from "./optional.ts";
import { regionJson } from "./polygon-shape.ts";
import { isS2Level } from "./s2-cells.ts";
import { coverWithS2Cells } from "./s2-covering.ts";
import { simplifyLine } from "./simplify.ts";
import { locateOnSpheroid } from "./spheroid.ts";
import { metersToRadians, radiansToMeters, vertexAt } from "./vertex.ts";

export const lineFunctions: readonly RuntimeFunction[] = [
  runtimeFunction("geo_line_length", ["dynamic"], "real", (value) => {
    const line = parseLine(value);
    return line && radiansToMeters(lengthOf(distinctLineEdges(line)));
  }),
  runtimeFunction("geo_line_centroid", ["dynamic"], "dynamic", (value) => {
    const line = parseLine(value);
    const center = line && centroidOfEdges(distinctLineEdges(line));
    return center && pointJson(center);
  }),
  runtimeFunction(
    "geo_distance_point_to_line",
    ["real", "real", "dynamic"],
    "real",
    (lng, lat, value) => {
      const point = vertexAt(lng, lat);
      const line = parseLine(value);
      return point && line && radiansToMeters(distanceToEdges(point, lineEdges(line)));
    },
  ),
  runtimeFunction(
    "geo_closest_point_on_line",
    ["real", "real", "dynamic"],
    "dynamic",
    (lng, lat, value) => {
      const point = vertexAt(lng, lat);
      const line = parseLine(value);
      return point && line && pointJson(closestPoint(point, lineEdges(line)));
    },
  ),
  ...withOptional(
    runtimeFunction(
      "geo_line_locate_point",
      ["dynamic", "real", "real", "bool"],
      "real",
      (value, lng, lat, useSpheroid = false) => {
        const point = vertexAt(lng, lat);
        const line = parseSingleLine(value);
        const locate = useSpheroid ? locateOnSpheroid : locateOnLine;
        return point && line && locate(point, lineEdges(line));
      },
    ),
    1,
  ),
  runtimeFunction(
    "geo_line_interpolate_point",
    ["dynamic", "real"],
    "dynamic",
    (value, fraction) => {
      const line = parseSingleLine(value);
      const isFraction = fraction >= 0 && fraction <= 1;
      const point = line && isFraction ? pointOnLine(lineEdges(line), fraction) : null;
      return point && pointJson(point);
    },
  ),
  ...withOptional(
    runtimeFunction(
      "geo_line_densify",
      ["dynamic", "real", "bool"],
      "dynamic",
      (value, tolerance = DEFAULT_TOLERANCE_METERS, keepCrossing = false) => {
        const line = parseLine(value);
        return line && isDensifyTolerance(tolerance)
          ? densifyLine(line, tolerance, keepCrossing)
          : null;
      },
    ),
    2,
  ),
  ...withOptional(
    runtimeFunction(
      "geo_line_simplify",
      ["dynamic", "real"],
      "dynamic",
      (value, tolerance = DEFAULT_TOLERANCE_METERS) => {
        const line = parseLine(value);
        return line && isSimplifyTolerance(tolerance) ? simplify(line, tolerance) : null;
      },
    ),
    1,
  ),
  ...withOptional(
    runtimeFunction(
      "geo_line_buffer",
      ["dynamic", "real", "real"],
      "dynamic",
      (value, radius, tolerance = DEFAULT_TOLERANCE_METERS) => {
        const line = parseLine(value);
        const size = bufferSize(radius, tolerance);
        return line && size && regionJson(bufferEdges(distinctLineEdges(line), [], size));
      },
    ),
    1,
  ),
  ...withOptional(
    runtimeFunction(
      "geo_line_to_s2cells",
      ["dynamic", "real", "real"],
      "dynamic",
      (value, level = DEFAULT_S2_LEVEL, radius = 0) => {
        const line = parseLine(value);
        if (line === null || !isS2Level(level) || !(radius >= 0)) {
          return null;
        }
        const shape = {
          edges: lineEdges(line),
          contains: () => false,
          radius: metersToRadians(radius),
        };
        return coverWithS2Cells(shape, level);
      },
    ),
    2,
  ),
  runtimeFunction("geo_union_lines_array", ["dynamic"], "dynamic", (values) => {
    const lines = Array.isArray(values) ? (values as readonly Json[]).map(parseLine) : [];
    const parts = lines.flatMap((line) => line?.parts ?? []);
    return lines.length === 0 || lines.includes(null) ? null : lineJson(uniteLines(parts));
  }),
];

function parseSingleLine(value: Json): LineShape | null {
  const line = parseLine(value);
  return line?.parts.length === 1 ? line : null;
}

function densifyLine({ parts }: LineShape, tolerance: number, keepCrossing: boolean): Json {
  const dense = parts.map((part) => densify(part, metersToRadians(tolerance), keepCrossing));
  const count = dense.reduce((sum, part) => sum + part.length, 0);
  return count > DENSIFIED_VERTICES_MAX ? null : linesJson(dense);
}

function simplify(line: LineShape, tolerance: number): Json {
  const { parts } = line.parts.length > 1 ? uniteLines(line.parts) : line;
  const simple = parts.map((part) => simplifyLine(part, metersToRadians(tolerance)));
  const left = simple.filter((part) => part !== null);
  return left.length === 0 ? null : linesJson(left);
}
