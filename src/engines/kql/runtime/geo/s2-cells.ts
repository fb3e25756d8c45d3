import { s2 } from "s2js";
import type { Json } from "../../types.ts";
import { pointJson, polygonsJson } from "./geojson.ts";
import { inListedOrder } from "./token-order.ts";
import { vertexOf, type Vertex } from "./vertex.ts";

const S2_LEVEL_MAX = 30;

/** Sixteen hexadecimal digits, trailing zeros left out. */
const TOKEN = /^[0-9a-f]{1,16}$/u;

const CORNERS = [0, 1, 2, 3] as const;

export function isS2Level(level: number): boolean {
  return Number.isInteger(level) && level >= 0 && level <= S2_LEVEL_MAX;
}

/** The token of the cell around a point; "" when the level is out of range. */
export function s2CellOf(point: Vertex | null, level: number): string {
  if (point === null || !isS2Level(level)) {
    return "";
  }
  const leaf = s2.cellid.fromPoint(new s2.Point(point.x, point.y, point.z));
  return s2.cellid.toToken(s2.cellid.parent(leaf, level));
}

export function s2CellCenter(token: string): Json {
  const cell = parseToken(token);
  return cell === null ? null : pointJson(vertexOf(s2.cellid.point(cell).vector));
}

export function s2CellPolygon(token: string): Json {
  const cell = parseToken(token);
  return cell === null ? null : polygonsJson([[cornersOf(s2.Cell.fromCellID(cell))]]);
}

/** The cells of the same level that share an edge or a corner. */
export function s2CellNeighbors(token: string): Json {
  const cell = parseToken(token);
  if (cell === null) {
    return null;
  }
  const ids = s2.cellid.allNeighbors(cell, s2.cellid.level(cell));
  return inListedOrder(ids.map((id) => s2.cellid.toToken(id)));
}

/** The corners of a cell, counterclockwise. */
export function cornersOf(cell: s2.Cell): Vertex[] {
  return CORNERS.map((corner) => vertexOf(cell.vertex(corner).vector));
}

function parseToken(token: string): bigint | null {
  const text = token.toLowerCase();
  if (!TOKEN.test(text)) {
    return null;
  }
  const cell = s2.cellid.fromToken(text);
  return s2.cellid.valid(cell) ? cell : null;
}
