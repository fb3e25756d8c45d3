import type { Piece } from "./cut.ts";
import { cross, dot, normalOf, type Vector } from "./vector.ts";
import type { Vertex } from "./vertex.ts";

/** A loop needs at least three edges to enclose anything. */
const RING_EDGES_MIN = 3;

/**
 * Joins directed pieces, whose interior is on their left, to rings that do not touch themselves.
 *
 * The order is that of the edges: rings by their first edge, and every ring turned so that its last
 * edge is the one with the highest number.
 */
export function joinToRings(pieces: readonly Piece[]): Vertex[][] {
  const leaving = Map.groupBy(pieces, ({ from }) => from);
  const unused = new Set(pieces);
  const loops: Piece[][] = [];
  for (const start of pieces.toSorted((a, b) => a.order - b.order)) {
    if (unused.has(start)) {
      loops.push(...walkLoops(start, leaving, unused));
    }
  }
  return loops
    .filter((loop) => loop.length >= RING_EDGES_MIN)
    .map(turnToHighest)
    .toSorted((a, b) => (a[0]?.order ?? 0) - (b[0]?.order ?? 0))
    .map((loop) => loop.map(({ from }) => from));
}

/** Walks from one piece until there is no way on; a vertex met again closes a loop. */
function walkLoops(
  start: Piece,
  leaving: ReadonlyMap<Vertex, readonly Piece[]>,
  unused: Set<Piece>,
): Piece[][] {
  const loops: Piece[][] = [];
  let path: Piece[] = [];
  let piece: Piece | undefined = start;
  while (piece !== undefined) {
    unused.delete(piece);
    path.push(piece);
    const end: Vertex = piece.to;
    const ways: readonly Piece[] = leaving.get(end) ?? [];
    // Only the start and a vertex with several ways on can be met again.
    const isMetAgain = ways.length > 1 || path[0]?.from === end;
    const first = isMetAgain ? path.findIndex(({ from }) => from === end) : -1;
    if (first >= 0) {
      loops.push(path.slice(first));
      path = path.slice(0, first);
    }
    const isClosed = path.length === 0;
    piece = isClosed
      ? undefined
      : leftmost(
          piece,
          ways.filter((way) => unused.has(way)),
        );
  }
  return loops;
}

/** The way on that turns most to the left, so that each ring bounds one connected interior. */
function leftmost(arriving: Piece, ways: readonly Piece[]): Piece | undefined {
  if (ways.length < 2) {
    return ways[0];
  }
  const { from: origin, to: corner } = arriving;
  const normal = normalOf(corner, origin);
  // An edge leaves a vertex at a right angle to its normal, so that normals turn as edges do.
  const turn = (way: Piece): number => {
    const angle = turnBetween(normal, normalOf(corner, way.to), corner);
    return angle < 0 ? angle + 2 * Math.PI : angle;
  };
  return ways.toSorted((a, b) => turn(b) - turn(a))[0];
}

/** Counterclockwise angle from one tangent normal to another, seen from above `axis`. */
function turnBetween(from: Vector, to: Vector, axis: Vector): number {
  return Math.atan2(dot(cross(from, to), axis), dot(from, to));
}

function turnToHighest(loop: readonly Piece[]): Piece[] {
  const highest = loop.reduce((most, { order }) => Math.max(most, order), 0);
  // Of a split edge its last piece, where the pieces stand together.
  const end = loop.findIndex(
    ({ order }, index) => order === highest && loop[(index + 1) % loop.length]?.order !== highest,
  );
  return [...loop.slice(end + 1), ...loop.slice(0, end + 1)];
}
