import { length, subtract, type Vector } from "./vector.ts";
import { SNAP_RADIANS, type Vertex } from "./vertex.ts";

/** Side of a cell of the grid: much more than the snap distance, so that few vertices straddle. */
const CELL = 1e-12;

/** Hands out one object for all vertices at one place, so that identity tells equality. */
export interface VertexPool {
  readonly take: (vertex: Vertex) => Vertex;
}

export function createVertexPool(): VertexPool {
  const cells = new Map<string, Vertex[]>();
  return {
    take(vertex) {
      for (const key of cellsNear(vertex)) {
        const same = cells.get(key)?.find((other) => isSamePlace(other, vertex));
        if (same !== undefined) {
          return same;
        }
      }
      const home = cellKey(vertex, 0, 0, 0);
      cells.set(home, [...(cells.get(home) ?? []), vertex]);
      return vertex;
    },
  };
}

export function isSamePlace(a: Vector, b: Vector): boolean {
  return length(subtract(a, b)) <= SNAP_RADIANS;
}

function cellsNear(vertex: Vector): Set<string> {
  const keys = new Set<string>();
  const steps = [-SNAP_RADIANS, SNAP_RADIANS];
  for (const x of steps) {
    for (const y of steps) {
      for (const z of steps) {
        keys.add(cellKey(vertex, x, y, z));
      }
    }
  }
  return keys;
}

function cellKey({ x, y, z }: Vector, east: number, north: number, up: number): string {
  return `${cellAt(x + east)},${cellAt(y + north)},${cellAt(z + up)}`;
}

function cellAt(value: number): number {
  return Math.floor(value / CELL);
}
