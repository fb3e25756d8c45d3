/** A vector of three dimensions; on the unit sphere unless said otherwise. */
export interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export function dot(a: Vector, b: Vector): number {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

export function cross(a: Vector, b: Vector): Vector {
  return { x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x };
}

export function add(a: Vector, b: Vector): Vector {
  return { x: a.x + b.x, y: a.y + b.y, z: a.z + b.z };
}

export function subtract(a: Vector, b: Vector): Vector {
  return { x: a.x - b.x, y: a.y - b.y, z: a.z - b.z };
}

export function scale(a: Vector, factor: number): Vector {
  return { x: a.x * factor, y: a.y * factor, z: a.z * factor };
}

export function length(a: Vector): number {
  return Math.sqrt(dot(a, a));
}

/** The vector of length 1 in the same direction; the zero vector stays what it is. */
export function normalize(a: Vector): Vector {
  const size = length(a);
  return size === 0 ? a : scale(a, 1 / size);
}

/** Radians between two directions, precise for small and for large angles. */
export function angleBetween(a: Vector, b: Vector): number {
  return Math.atan2(length(cross(a, b)), dot(a, b));
}

/**
 * Unit normal of the great circle from `a` to `b`.
 *
 * `(a + b) × (b - a)` is twice `a × b` and, unlike it, does not lose its digits where the two are
 * close to each other.
 */
export function normalOf(a: Vector, b: Vector): Vector {
  return normalize(cross(add(a, b), subtract(b, a)));
}

/** Some unit vector at a right angle to `a`. */
export function perpendicular(a: Vector): Vector {
  const axis = Math.abs(a.x) < 0.6 ? { x: 1, y: 0, z: 0 } : { x: 0, y: 1, z: 0 };
  return normalize(cross(a, axis));
}

/** The point at `angle` radians from `from` along the unit tangent `direction`. */
export function travel(from: Vector, direction: Vector, angle: number): Vector {
  return normalize(add(scale(from, Math.cos(angle)), scale(direction, Math.sin(angle))));
}
