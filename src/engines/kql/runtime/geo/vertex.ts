import { normalize, type Vector } from "./vector.ts";

/** Mean radius of the sphere on which the language measures. */
export const EARTH_RADIUS_METERS = 6_371_010;

/** Points closer than this many radians (30 nanometres on Earth) are one. */
export const SNAP_RADIANS = 5e-15;

const LONGITUDE_MAX_DEGREES = 180;
const LATITUDE_MAX_DEGREES = 90;
const DEGREES_PER_RADIAN = 180 / Math.PI;

/** A point on the unit sphere with the degrees it was given in, which go out as they came in. */
export interface Vertex extends Vector {
  readonly lng: number;
  readonly lat: number;
}

/** The vertex at a longitude and latitude in degrees; null when out of range. */
export function vertexAt(lng: number, lat: number): Vertex | null {
  // Written so that NaN is out of range as well.
  const isValid = Math.abs(lng) <= LONGITUDE_MAX_DEGREES && Math.abs(lat) <= LATITUDE_MAX_DEGREES;
  if (!isValid) {
    return null;
  }
  const phi = lat / DEGREES_PER_RADIAN;
  const theta = lng / DEGREES_PER_RADIAN;
  const ring = Math.cos(phi);
  return { x: ring * Math.cos(theta), y: ring * Math.sin(theta), z: Math.sin(phi), lng, lat };
}

/** The vertex in the direction of a vector. */
export function vertexOf(vector: Vector): Vertex {
  const { x, y, z } = normalize(vector);
  const lat = Math.atan2(z, Math.hypot(x, y)) * DEGREES_PER_RADIAN;
  return { x, y, z, lng: Math.atan2(y, x) * DEGREES_PER_RADIAN, lat };
}

/** The vertex halfway in degrees, as a flat map would draw it; both must be in range. */
export function planarVertex(from: Vertex, to: Vertex, fraction: number): Vertex {
  const lng = from.lng + (to.lng - from.lng) * fraction;
  const lat = from.lat + (to.lat - from.lat) * fraction;
  return vertexAt(wrapLongitude(lng), lat) ?? from;
}

export function metersToRadians(meters: number): number {
  return meters / EARTH_RADIUS_METERS;
}

export function radiansToMeters(radians: number): number {
  return radians * EARTH_RADIUS_METERS;
}

function wrapLongitude(lng: number): number {
  if (lng > LONGITUDE_MAX_DEGREES) {
    return lng - 2 * LONGITUDE_MAX_DEGREES;
  }
  return lng < -LONGITUDE_MAX_DEGREES ? lng + 2 * LONGITUDE_MAX_DEGREES : lng;
}
