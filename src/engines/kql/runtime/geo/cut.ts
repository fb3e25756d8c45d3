import { crossingOf, edgesOfLine, edgesOfRing, isOnEdge, type Edge } from "./edge.ts";
import { forNearPairs } from "./near-pairs.ts";
import { dot, subtract } from "./vector.ts";
import type { Vertex } from "./vertex.ts";
import { createVertexPool, type VertexPool } from "./vertex-pool.ts";

/** A chain of edges: a ring, whose last vertex leads back to the first, or a line. */
export interface Path {
  readonly vertices: readonly Vertex[];
  readonly isRing: boolean;
}

/** A stretch of an edge between two places where the shapes meet. */
export interface Piece extends Edge {
  /** Number of the whole edge, counted through both shapes. */
  readonly order: number;
}

export interface Cut {
  /** Pieces of the first and of the second shape, path by path. */
  readonly first: readonly (readonly Piece[])[];
  readonly second: readonly (readonly Piece[])[];
  /** Vertices that lie on both shapes; one object for each place. */
  readonly contacts: ReadonlySet<Vertex>;
}

interface CutEdge extends Edge {
  readonly order: number;
  readonly cuts: Vertex[];
}

/** Cuts two shapes at every place where they cross or touch each other. */
export function cutPaths(first: readonly Path[], second: readonly Path[]): Cut {
  const pool = createVertexPool();
  const firstPaths = numberEdges(first, pool, 0);
  const secondPaths = numberEdges(second, pool, firstPaths.flat().length);
  forNearPairs(firstPaths.flat(), secondPaths.flat(), (a, b) => {
    for (const vertex of meetingsOf(a, b)) {
      const place = pool.take(vertex);
      a.cuts.push(place);
      b.cuts.push(place);
    }
  });
  const firstPieces = firstPaths.map((path) => path.flatMap(splitEdge));
  const secondPieces = secondPaths.map((path) => path.flatMap(splitEdge));
  const contacts = verticesOf(firstPieces).intersection(verticesOf(secondPieces));
  return { first: firstPieces, second: secondPieces, contacts };
}

/** All places where two edges meet: none, a crossing, touching ends, or both ends of an overlap. */
export function meetingsOf(a: Edge, b: Edge): Vertex[] {
  const touching = [
    ...[b.from, b.to].filter((vertex) => isOnEdge(vertex, a)),
    ...[a.from, a.to].filter((vertex) => isOnEdge(vertex, b)),
  ];
  if (touching.length > 0) {
    return touching;
  }
  const crossing = crossingOf(a, b);
  return crossing === null ? [] : [crossing];
}

function pathEdges({ vertices, isRing }: Path): Edge[] {
  return isRing ? edgesOfRing(vertices) : edgesOfLine(vertices);
}

function numberEdges(paths: readonly Path[], pool: VertexPool, start: number): CutEdge[][] {
  let order = start;
  return paths.map(({ vertices, isRing }) =>
    pathEdges({ vertices: vertices.map((vertex) => pool.take(vertex)), isRing }).map(
      ({ from, to }) => {
        order += 1;
        return { from, to, order, cuts: [] };
      },
    ),
  );
}

function splitEdge({ from, to, order, cuts }: CutEdge): Piece[] {
  const distance = (vertex: Vertex): number => {
    const way = subtract(vertex, from);
    return dot(way, way);
  };
  const inside = [...new Set(cuts)]
    .filter((vertex) => vertex !== from && vertex !== to)
    .toSorted((a, b) => distance(a) - distance(b));
  return edgesOfLine([from, ...inside, to])
    .filter((piece) => piece.from !== piece.to)
    .map((piece) => ({ from: piece.from, to: piece.to, order }));
}

function verticesOf(paths: readonly (readonly Piece[])[]): Set<Vertex> {
  return new Set(paths.flat().flatMap(({ from, to }) => [from, to]));
}
