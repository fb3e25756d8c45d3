import { edgeLength, interpolate, type Edge } from "./edge.ts";
import { uniteAll } from "./polygon-shape.ts";
import { regionOf, type Region } from "./region.ts";
import { add, cross, normalOf, perpendicular, scale, travel, type Vector } from "./vector.ts";
import { metersToRadians, vertexOf, type Vertex } from "./vertex.ts";

/** A tolerance counts at least as this share of the radius, and at most as the other one. */
const TOLERANCE_SHARE_MIN = 1e-6;
const TOLERANCE_SHARE_MAX = 0.99;

/** Buffers that reach a quarter around the Earth would no longer be the smaller side. */
const REACH_MAX_RADIANS = Math.PI / 2;

const CIRCLE_VERTICES_MIN = 4;

/** How far a buffer reaches: at least `radius`, at most `reach`, both in radians. */
interface BufferSize {
  readonly radius: number;
  readonly reach: number;
}

/** Radius and tolerance in metres as a size; null when a buffer of it is not possible. */
export function bufferSize(radiusMeters: number, toleranceMeters: number): BufferSize | null {
  // Written so that NaN is refused as well.
  if (!(radiusMeters > 0 && toleranceMeters > 0)) {
    return null;
  }
  const highest = radiusMeters * TOLERANCE_SHARE_MAX;
  const lowest = radiusMeters * TOLERANCE_SHARE_MIN;
  const tolerance = Math.max(lowest, Math.min(highest, toleranceMeters));
  const reach = metersToRadians(radiusMeters + tolerance);
  return reach < REACH_MAX_RADIANS ? { radius: metersToRadians(radiusMeters), reach } : null;
}

/** The circle around a point, as a regular polygon that contains it. */
export function bufferPoint(center: Vertex, size: BufferSize): Region {
  const count = Math.max(CIRCLE_VERTICES_MIN, Math.ceil(Math.PI / halfStep(size)));
  const start = perpendicular(center);
  const outer = outerRadius(size.radius, Math.PI / count);
  return regionOf([arc(center, start, { outer, angle: 2 * Math.PI, count }).slice(0, -1)]);
}

/** All points within the radius of the edges, and of the regions that they bound if given. */
export function bufferEdges(
  edges: readonly Edge[],
  inner: readonly Region[],
  size: BufferSize,
): Region {
  const capsules = edges
    .flatMap((edge) => divideForSides(edge, size))
    .map((edge) => regionOf([capsule(edge, size)]));
  return uniteAll([...inner, ...capsules]);
}

/** The circles around both ends of an edge and what is between them. */
function capsule({ from, to }: Edge, size: BufferSize): Vertex[] {
  const half = { ...size, reach: (size.radius + size.reach) / 2 };
  const count = Math.max(CIRCLE_VERTICES_MIN / 2, Math.ceil(Math.PI / 2 / halfStep(half)));
  const outer = outerRadius(size.radius, Math.PI / 2 / count);
  const left = normalOf(from, to);
  const right = scale(left, -1);
  return [
    ...arc(to, right, { outer, angle: Math.PI, count }),
    ...arc(from, left, { outer, angle: Math.PI, count }),
  ];
}

interface Arc {
  readonly outer: number;
  readonly angle: number;
  readonly count: number;
}

/** `count + 1` vertices around a centre, counterclockwise from the tangent `start`. */
function arc(center: Vector, start: Vector, { outer, angle, count }: Arc): Vertex[] {
  const side = cross(center, start);
  return Array.from({ length: count + 1 }, (_, step) => {
    const turn = (angle * step) / count;
    const direction = add(scale(start, Math.cos(turn)), scale(side, Math.sin(turn)));
    return vertexOf(travel(center, direction, outer));
  });
}

/** Half the angle between vertices at `reach` whose connection stays beyond the radius. */
function halfStep({ radius, reach }: BufferSize): number {
  return Math.acos(Math.tan(radius) / Math.tan(reach));
}

function outerRadius(radius: number, half: number): number {
  return Math.atan(Math.tan(radius) / Math.cos(half));
}

/** A geodesic beside an edge bulges away from it: parts so short that it stays within reach. */
function divideForSides(edge: Edge, { radius, reach }: BufferSize): Edge[] {
  const longest = 2 * Math.acos(Math.tan((radius + reach) / 2) / Math.tan(reach));
  const count = Math.max(1, Math.ceil(edgeLength(edge) / longest));
  const at = (step: number): Vertex => vertexOf(interpolate(edge, step / count));
  return Array.from({ length: count }, (_, step) => ({
    from: step === 0 ? edge.from : at(step),
    to: step === count - 1 ? edge.to : at(step + 1),
  }));
}
