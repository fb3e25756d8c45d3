import { s2 } from "s2js";
import {
  distanceBetweenEdges,
  distanceToEdge,
  edgeLength,
  edgesOfRing,
  type Edge,
} from "./edge.ts";
import { cornersOf } from "./s2-cells.ts";
import { angleBetween, type Vector } from "./vector.ts";
import { vertexOf } from "./vertex.ts";

const S2_CELLS_MAX = 65_536;

/** A share of a cell's size by which its bounding circle is drawn too large, against rounding. */
const CAP_MARGIN = 1 + 1e-9;

/** The longest diagonal of a cell of level 0, in radians; every level halves it. */
const DIAGONAL_MAX_RADIANS = 2.438_654_594_434_021;

const FACES = [0, 1, 2, 3, 4, 5] as const;

/** What is to be covered: all points within `radius` radians of the edges, and the inside. */
interface Covered {
  readonly edges: readonly Edge[];
  readonly contains: (point: Vector) => boolean;
  readonly radius: number;
}

interface Candidate {
  readonly cell: s2.Cell;
  /** The edges that are near enough to matter to the cell and to all cells in it. */
  readonly edges: readonly Edge[];
}

/** Tokens of all cells of one level that meet a shape, in order; null when they are too many. */
export function coverWithS2Cells(shape: Covered, level: number): string[] | null {
  // A cell takes up no more of an edge than its diagonal: what must fail is not begun.
  const longest = shape.edges.reduce((most, edge) => Math.max(most, edgeLength(edge)), 0);
  if (longest > (S2_CELLS_MAX * DIAGONAL_MAX_RADIANS) / 2 ** level) {
    return null;
  }
  const inside: bigint[] = [];
  let border: Candidate[] = FACES.flatMap((face) =>
    classify(cellOf(s2.cellid.fromFace(face)), shape, shape.edges, inside),
  );
  for (let depth = 1; depth <= level; depth += 1) {
    border = border.flatMap(({ cell, edges }) =>
      s2.cellid.children(cell.id).flatMap((id) => classify(cellOf(id), shape, edges, inside)),
    );
    if (border.length + countInside(inside, depth) > S2_CELLS_MAX) {
      return null;
    }
  }
  if (border.length + countInside(inside, level) > S2_CELLS_MAX) {
    return null;
  }
  const ids = [...border.map(({ cell }) => cell.id), ...inside.flatMap((id) => within(id, level))];
  return ids.toSorted((a, b) => (a < b ? -1 : 1)).map((id) => s2.cellid.toToken(id));
}

/** A cell that the border meets stays a candidate; one that lies inside is put there. */
function classify(
  cell: s2.Cell,
  shape: Covered,
  edges: readonly Edge[],
  inside: bigint[],
): Candidate[] {
  const near = edgesNear(cell, edges, shape.radius);
  if (near.length > 0) {
    return [{ cell, edges: near }];
  }
  if (shape.contains(cell.center().vector)) {
    inside.push(cell.id);
  }
  return [];
}

function edgesNear(cell: s2.Cell, edges: readonly Edge[], radius: number): Edge[] {
  const center = vertexOf(cell.center().vector);
  const corners = cornersOf(cell);
  const sides = edgesOfRing(corners);
  const size = Math.max(...corners.map((corner) => angleBetween(center, corner))) * CAP_MARGIN;
  return edges.filter(
    (edge) =>
      distanceToEdge(center, edge) <= size + radius &&
      (isInCell(cell, edge) || sides.some((side) => distanceBetweenEdges(side, edge) <= radius)),
  );
}

function isInCell(cell: s2.Cell, { from }: Edge): boolean {
  return cell.containsPoint(new s2.Point(from.x, from.y, from.z));
}

function cellOf(id: bigint): s2.Cell {
  return s2.Cell.fromCellID(id);
}

function countInside(cells: readonly bigint[], level: number): number {
  return cells.reduce((sum, id) => sum + 4 ** Math.max(0, level - s2.cellid.level(id)), 0);
}

function within(id: bigint, level: number): bigint[] {
  if (s2.cellid.level(id) === level) {
    return [id];
  }
  return s2.cellid.children(id).flatMap((child) => within(child, level));
}
