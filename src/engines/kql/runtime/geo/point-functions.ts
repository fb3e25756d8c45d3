import { runtimeFunction, type RuntimeFunction } from "../runtime-function.ts";
import { bufferPoint, bufferSize } from "./buffer.ts";
import { DEFAULT_TOLERANCE_METERS } from "./limits.ts";
import { withOptional } from "./optional.ts";
import { regionJson } from "./polygon-shape.ts";
import { spheroidDistance } from "./spheroid.ts";
import { angleBetween, cross, dot, length, subtract, type Vector } from "./vector.ts";
import { radiansToMeters, SNAP_RADIANS, vertexAt, type Vertex } from "./vertex.ts";

const FULL_TURN = 2 * Math.PI;
const NORTH: Vector = { x: 0, y: 0, z: 1 };

export const pointFunctions: readonly RuntimeFunction[] = [
  ...withOptional(
    runtimeFunction(
      "geo_distance_2points",
      ["real", "real", "real", "real", "bool"],
      "real",
      (...values) => {
        const [lng1, lat1, lng2, lat2, useSpheroid] = values;
        const points = verticesAt([lng1, lat1], [lng2, lat2]);
        if (points === null) {
          return null;
        }
        const [a, b] = points;
        return useSpheroid ? spheroidDistance(a, b) : radiansToMeters(angleBetween(a, b));
      },
    ),
    1,
  ),
  runtimeFunction(
    "geo_azimuth",
    ["real", "real", "real", "real"],
    "real",
    (lng1, lat1, lng2, lat2) => {
      const points = verticesAt([lng1, lat1], [lng2, lat2]);
      return points && azimuth(...points);
    },
  ),
  runtimeFunction(
    "geo_angle",
    ["real", "real", "real", "real", "real", "real"],
    "real",
    (...degrees) => {
      const [lng1, lat1, lng2, lat2, lng3, lat3] = degrees;
      const first = verticesAt([lng2, lat2], [lng1, lat1]);
      const second = verticesAt([lng2, lat2], [lng3, lat3]);
      return first && second && angle(first, second);
    },
  ),
  runtimeFunction(
    "geo_point_in_circle",
    ["real", "real", "real", "real", "real"],
    "bool",
    (...values) => {
      const [lng1, lat1, lng2, lat2, radius] = values;
      const points = verticesAt([lng1, lat1], [lng2, lat2]);
      if (points === null || !(radius > 0)) {
        return null;
      }
      return radiansToMeters(angleBetween(...points)) <= radius;
    },
  ),
  ...withOptional(
    runtimeFunction(
      "geo_point_buffer",
      ["real", "real", "real", "real"],
      "dynamic",
      (lng, lat, radius, tolerance = DEFAULT_TOLERANCE_METERS) => {
        const center = vertexAt(lng, lat);
        const size = bufferSize(radius, tolerance);
        return center && size && regionJson(bufferPoint(center, size));
      },
    ),
    1,
  ),
];

type Degrees = readonly [lng: number, lat: number];

function verticesAt(a: Degrees, b: Degrees): [Vertex, Vertex] | null {
  const first = vertexAt(...a);
  const second = vertexAt(...b);
  return first && second && [first, second];
}

/** Clockwise from north, from 0 to a full turn; null where there is no one way to go. */
function azimuth(from: Vertex, to: Vertex): number | null {
  return clockwise(from, northOf(from), to);
}

function angle(first: [Vertex, Vertex], second: [Vertex, Vertex]): number | null {
  const [corner, before] = first;
  const [, after] = second;
  return isWayClear(corner, before) ? clockwise(corner, before, after) : null;
}

/** The clockwise angle at a corner from the direction of one point to that of another. */
function clockwise(corner: Vertex, from: Vector, to: Vertex): number | null {
  if (!isWayClear(corner, to)) {
    return null;
  }
  const sideFrom = cross(corner, from);
  const sideTo = cross(corner, to);
  const turn = Math.atan2(-dot(cross(sideFrom, sideTo), corner), dot(sideFrom, sideTo));
  // There is no angle of -0.
  return turn < 0 ? turn + FULL_TURN : Math.abs(turn);
}

/** Whether there is exactly one shortest way between two points. */
function isWayClear(a: Vector, b: Vector): boolean {
  return length(cross(a, b)) > SNAP_RADIANS;
}

/** A point in whose direction north lies; at a pole the way along the meridian given. */
function northOf({ lng, lat }: Vertex): Vector {
  if (Math.abs(lat) < 90) {
    return NORTH;
  }
  const equator = vertexAt(lng, 0) ?? NORTH;
  return lat > 0 ? subtract(NORTH, equator) : equator;
}
