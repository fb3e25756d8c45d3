import type { Edge } from "./edge.ts";
import { add, dot, scale, type Vector } from "./vector.ts";
import { SNAP_RADIANS } from "./vertex.ts";

/** Below this cosine (arcs of over 120 degrees) a box around an arc is the whole sphere. */
const LONG_ARC_COSINE = -0.5;

interface Box<E extends Edge> {
  readonly edge: E;
  readonly low: Vector;
  readonly high: Vector;
}

/**
 * Calls `visit` for every pair of an edge of `first` and one of `second` whose boxes meet.
 *
 * A sweep along one axis: fast as long as edges are short against the extent of their shapes.
 */
export function forNearPairs<A extends Edge, B extends Edge>(
  first: readonly A[],
  second: readonly B[],
  visit: (a: A, b: B) => void,
): void {
  const left = first.map(boxOf).toSorted(byLow);
  const right = second.map(boxOf).toSorted(byLow);
  let active: Box<B>[] = [];
  let next = 0;
  for (const box of left) {
    for (; next < right.length; next += 1) {
      const entering = right[next];
      if (entering === undefined || entering.low.x > box.high.x) {
        break;
      }
      active.push(entering);
    }
    // Later boxes of `left` start no earlier, so that what ends before this one is over.
    active = active.filter((other) => other.high.x >= box.low.x);
    for (const other of active) {
      if (meets(box, other)) {
        visit(box.edge, other.edge);
      }
    }
  }
}

/** Calls `visit` once for every two edges of one list whose boxes meet. */
export function forNearPairsWithin<E extends Edge>(
  edges: readonly E[],
  visit: (a: E, b: E) => void,
): void {
  let active: Box<E>[] = [];
  for (const box of edges.map(boxOf).toSorted(byLow)) {
    active = active.filter((other) => other.high.x >= box.low.x);
    for (const other of active) {
      if (meets(box, other)) {
        visit(other.edge, box.edge);
      }
    }
    active.push(box);
  }
}

/** An arc lies in the triangle of its ends and the point where its end tangents meet. */
function boxOf<E extends Edge>(edge: E): Box<E> {
  const { from, to } = edge;
  const cosine = dot(from, to);
  if (cosine < LONG_ARC_COSINE) {
    return { edge, low: { x: -1, y: -1, z: -1 }, high: { x: 1, y: 1, z: 1 } };
  }
  const tip = scale(add(from, to), 1 / (1 + cosine));
  const low = {
    x: Math.min(from.x, to.x, tip.x) - SNAP_RADIANS,
    y: Math.min(from.y, to.y, tip.y) - SNAP_RADIANS,
    z: Math.min(from.z, to.z, tip.z) - SNAP_RADIANS,
  };
  const high = {
    x: Math.max(from.x, to.x, tip.x) + SNAP_RADIANS,
    y: Math.max(from.y, to.y, tip.y) + SNAP_RADIANS,
    z: Math.max(from.z, to.z, tip.z) + SNAP_RADIANS,
  };
  return { edge, low, high };
}

function byLow(a: Box<Edge>, b: Box<Edge>): number {
  return a.low.x - b.low.x;
}

function meets(a: Box<Edge>, b: Box<Edge>): boolean {
  return (
    a.low.x <= b.high.x &&
    a.high.x >= b.low.x &&
    a.low.y <= b.high.y &&
    a.high.y >= b.low.y &&
    a.low.z <= b.high.z &&
    a.high.z >= b.low.z
  );
}
