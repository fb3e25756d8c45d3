import {
  cellToBoundary,
  cellToChildren,
  cellToLatLng,
  cellToParent,
  getResolution,
  gridDisk,
  gridDiskDistances,
  isValidCell,
  latLngToCell,
} from "h3-js";
import type { Json } from "../../types.ts";
import { pointJson, polygonsJson } from "./geojson.ts";
import { vertexAt, type Vertex } from "./vertex.ts";

const H3_RESOLUTION_MAX = 15;

/** Five levels are 16,807 children. */
const CHILD_LEVELS_MAX = 5;

const RING_DISTANCE_MAX = 142;

export function isH3Resolution(resolution: number): boolean {
  return Number.isInteger(resolution) && resolution >= 0 && resolution <= H3_RESOLUTION_MAX;
}

/** The cell around a point; "" when the resolution is out of range. */
export function h3CellOf(point: Vertex | null, resolution: number): string {
  return point === null || !isH3Resolution(resolution)
    ? ""
    : latLngToCell(point.lat, point.lng, resolution);
}

export function h3CellCenter(cell: string): Json {
  if (!isValidCell(cell)) {
    return null;
  }
  const [lat, lng] = cellToLatLng(cell);
  const center = vertexAt(lng, lat);
  return center && pointJson(center);
}

export function h3CellPolygon(cell: string): Json {
  if (!isValidCell(cell)) {
    return null;
  }
  const corners = cellToBoundary(cell).map(([lat, lng]) => vertexAt(lng, lat));
  return polygonsJson([[corners.filter((corner) => corner !== null)]]);
}

export function h3CellNeighbors(cell: string): Json {
  return isValidCell(cell) ? gridDisk(cell, 1).filter((other) => other !== cell) : null;
}

/** Rings of cells around one, from the cell itself to `distance` steps away. */
export function h3CellRings(cell: string, distance: number): Json {
  const isDistance = Number.isInteger(distance) && distance >= 0 && distance <= RING_DISTANCE_MAX;
  return isValidCell(cell) && isDistance ? gridDiskDistances(cell, distance) : null;
}

/** The cells inside one, at a finer resolution; the next one unless given. */
export function h3CellChildren(cell: string, resolution?: number): Json {
  if (!isValidCell(cell)) {
    return null;
  }
  const own = getResolution(cell);
  const target = resolution ?? own + 1;
  const isFiner = isH3Resolution(target) && target > own && target - own <= CHILD_LEVELS_MAX;
  return isFiner ? cellToChildren(cell, target) : null;
}

/** The cell around one, at a coarser resolution; the one before unless given. */
export function h3CellParent(cell: string, resolution?: number): string {
  if (!isValidCell(cell)) {
    return "";
  }
  const own = getResolution(cell);
  const target = resolution ?? own - 1;
  return isH3Resolution(target) && target < own ? cellToParent(cell, target) : "";
}

export function h3CellLevel(cell: string): number | null {
  return isValidCell(cell) ? getResolution(cell) : null;
}
