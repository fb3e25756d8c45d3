import { interpolate } from "./edge.ts";
import { angleBetween, dot } from "./vector.ts";
import { planarVertex, type Vertex } from "./vertex.ts";

export const DENSIFIED_VERTICES_MAX = 10_485_760;

/** Arcs of more than 90 degrees are always divided. */
const LONG_ARC_COSINE = -1e-14;

/** Halvings after which the parts of any edge are far below any tolerance. */
const DEPTH_MAX = 22;

/**
 * Where the distance between a straight edge on the map and its geodesic is measured, and how it
 * compares there with the greatest one along the edge, whatever the shape of the deviation: it may
 * have one hump in the middle or two of opposite sign at a quarter and three quarters.
 */
const PROBE_FRACTION = 0.312_156_910_822_482_3;
const PROBE_SHARE = 0.838_299_925_698_885_1;

/**
 * Adds vertices to a line until its geodesic edges follow the straight lines of a flat map.
 *
 * @param tolerance radians between the two; @param keepCrossing take the short way over the
 * antimeridian instead of the long way around
 */
export function densify(
  vertices: readonly Vertex[],
  tolerance: number,
  keepCrossing: boolean,
): Vertex[] {
  const dense: Vertex[] = [];
  let from: Vertex | undefined;
  for (const to of vertices) {
    if (from !== undefined) {
      const end = keepCrossing ? unwrapped(from, to) : to;
      divide(dense, from, end, { tolerance: tolerance * PROBE_SHARE, depth: 0 });
    }
    dense.push(to);
    from = to;
  }
  return dense;
}

/** The same place with a longitude at most 180 degrees from the other's. */
function unwrapped(from: Vertex, to: Vertex): Vertex {
  const turns = Math.round((to.lng - from.lng) / 360);
  return { ...to, lng: to.lng - turns * 360 };
}

function divide(
  dense: Vertex[],
  from: Vertex,
  to: Vertex,
  { tolerance, depth }: { readonly tolerance: number; readonly depth: number },
): void {
  if (depth >= DEPTH_MAX || !isFar(from, to, tolerance)) {
    return;
  }
  const place = planarVertex(from, to, 0.5);
  // The halves go on from the longitude as it was drawn, which may be beyond the antimeridian.
  const middle = { ...place, lng: (from.lng + to.lng) / 2 };
  divide(dense, from, middle, { tolerance, depth: depth + 1 });
  dense.push(place);
  divide(dense, middle, to, { tolerance, depth: depth + 1 });
}

function isFar(from: Vertex, to: Vertex, tolerance: number): boolean {
  const isWide = dot(from, to) < LONG_ARC_COSINE || Math.abs(from.lng - to.lng) > 90;
  return (
    isWide ||
    [PROBE_FRACTION, 1 - PROBE_FRACTION].some((fraction) => {
      const straight = planarVertex(from, to, fraction);
      return angleBetween(straight, interpolate({ from, to }, fraction)) > tolerance;
    })
  );
}
