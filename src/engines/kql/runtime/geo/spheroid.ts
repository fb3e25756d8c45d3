import geodesic from "geographiclib-geodesic";
import type { Edge } from "./edge.ts";
import type { Vertex } from "./vertex.ts";

/** Narrowing of the place on an edge to below a nanometre, whatever its length. */
const NARROWINGS = 80;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

const earth = geodesic.Geodesic.WGS84;

/** Metres between two points on the WGS-84 spheroid. */
export function spheroidDistance(a: Vertex, b: Vertex): number {
  return earth.Inverse(a.lat, a.lng, b.lat, b.lng).s12 ?? 0;
}

/** How far along a line the point closest on the spheroid is, from 0 to 1. */
export function locateOnSpheroid(point: Vertex, edges: readonly Edge[]): number {
  let passed = 0;
  let least = Infinity;
  let place = 0;
  for (const edge of edges) {
    const [along, distance, size] = closestOnSpheroid(point, edge);
    if (distance < least) {
      least = distance;
      place = passed + along;
    }
    passed += size;
  }
  return passed === 0 ? 0 : Math.min(1, place / passed);
}

/** Metres along an edge to its point closest to `point`, metres from there, and its length. */
function closestOnSpheroid(point: Vertex, { from, to }: Edge): [number, number, number] {
  const line = earth.InverseLine(from.lat, from.lng, to.lat, to.lng);
  const size = spheroidDistance(from, to);
  const distanceAt = (along: number): number => {
    const { lat2 = from.lat, lon2 = from.lng } = line.Position(along);
    return earth.Inverse(point.lat, point.lng, lat2, lon2).s12 ?? 0;
  };
  let low = 0;
  let high = size;
  for (let step = 0; step < NARROWINGS; step += 1) {
    const left = high - (high - low) * GOLDEN;
    const right = low + (high - low) * GOLDEN;
    if (distanceAt(left) <= distanceAt(right)) {
      high = right;
    } else {
      low = left;
    }
  }
  const places: [number, number][] = [0, (low + high) / 2, size].map((at) => [at, distanceAt(at)]);
  const [along, distance] = places.reduce((best, other) => (other[1] < best[1] ? other : best));
  return [along, distance, size];
}
