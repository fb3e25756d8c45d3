import { getHexagonAreaAvg, polygonToCells, UNITS } from "h3-js";
import { areaOf } from "./measures.ts";
import { polygonOf, type PolygonShape } from "./polygon-shape.ts";
import type { Region } from "./region.ts";
import { inListedOrder } from "./token-order.ts";
import type { Vertex } from "./vertex.ts";

const H3_CELLS_MAX = 61_680;

/** Cells are up to half as large as their average; twice the limit is therefore beyond it. */
const ESTIMATE_FACTOR = 2;

/** The cells of one resolution whose centre lies in a polygon; null when they are too many. */
export function coverWithH3Cells(polygon: PolygonShape, resolution: number): string[] | null {
  const cells = new Set<string>();
  for (const part of polygon.parts) {
    const estimate = areaOf(polygonOf([part])) / getHexagonAreaAvg(resolution, UNITS.m2);
    if (estimate > H3_CELLS_MAX * ESTIMATE_FACTOR) {
      return null;
    }
    for (const cell of cellsOf(part, resolution)) {
      cells.add(cell);
    }
  }
  return cells.size > H3_CELLS_MAX ? null : inListedOrder([...cells]);
}

/** Shell by shell: every shell is followed by its holes. */
function cellsOf({ rings }: Region, resolution: number): string[] {
  const shells = rings.filter(({ depth }) => depth % 2 === 0);
  return shells.flatMap((shell) => {
    const next = rings.slice(rings.indexOf(shell) + 1);
    const end = next.findIndex(({ depth }) => depth <= shell.depth);
    const holes = (end < 0 ? next : next.slice(0, end)).filter(
      ({ depth }) => depth === shell.depth + 1,
    );
    const loops = [shell, ...holes].map(({ vertices }) => vertices.map(toLatLng));
    return polygonToCells(loops, resolution);
  });
}

function toLatLng({ lng, lat }: Vertex): [number, number] {
  return [lat, lng];
}
