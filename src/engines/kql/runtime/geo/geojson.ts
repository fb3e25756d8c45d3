import type { Json, JsonBag } from "../../types.ts";
import { vertexAt, type Vertex } from "./vertex.ts";

/** The coordinates of a line: vertices of one part after the other; null when invalid. */
export function parseLineParts(value: Json): Vertex[][] | null {
  const bag = bagOf(value);
  if (bag?.["type"] === "LineString") {
    return listOf([bag["coordinates"] ?? null], parsePositions);
  }
  return bag?.["type"] === "MultiLineString" ? listOf(bag["coordinates"], parsePositions) : null;
}

/** The rings of each polygon as written, closing vertex included; null when invalid. */
export function parsePolygonParts(value: Json): Vertex[][][] | null {
  const bag = bagOf(value);
  if (bag?.["type"] === "Polygon") {
    return listOf([bag["coordinates"] ?? null], parseRings);
  }
  return bag?.["type"] === "MultiPolygon" ? listOf(bag["coordinates"], parseRings) : null;
}

export function pointJson(vertex: Vertex): Json {
  return { type: "Point", coordinates: positionOf(vertex) };
}

/** One geometry as itself, any other number as a collection. */
export function collectionJson(geometries: readonly Json[]): Json {
  const [only, ...more] = geometries;
  return only !== undefined && more.length === 0
    ? only
    : { type: "GeometryCollection", geometries: [...geometries] };
}

/** A point, or several as one geometry; there must be at least one. */
export function pointsJson(vertices: readonly Vertex[]): Json {
  const [only, ...more] = vertices;
  return only !== undefined && more.length === 0
    ? pointJson(only)
    : { type: "MultiPoint", coordinates: vertices.map(positionOf) };
}

/** A line, or several as one geometry; there must be at least one. */
export function linesJson(lines: readonly (readonly Vertex[])[]): Json {
  const coordinates = lines.map((line) => line.map(positionOf));
  const [only, ...more] = coordinates;
  return only !== undefined && more.length === 0
    ? { type: "LineString", coordinates: only }
    : { type: "MultiLineString", coordinates };
}

/** A polygon, or several as one geometry, from rings without closing vertex; at least one. */
export function polygonsJson(polygons: readonly (readonly (readonly Vertex[])[])[]): Json {
  const coordinates = polygons.map((rings) =>
    rings.map((ring) => [...ring, ...ring.slice(0, 1)].map(positionOf)),
  );
  const [only, ...more] = coordinates;
  return only !== undefined && more.length === 0
    ? { type: "Polygon", coordinates: only }
    : { type: "MultiPolygon", coordinates };
}

function positionOf({ lng, lat }: Vertex): Json {
  return [lng, lat];
}

function parseRings(value: Json): Vertex[][] | null {
  return listOf(value, parsePositions);
}

function parsePositions(value: Json): Vertex[] | null {
  return listOf(value, parsePosition);
}

/** A position may carry an altitude, which does not count. */
function parsePosition(value: Json): Vertex | null {
  if (!Array.isArray(value)) {
    return null;
  }
  const [lng, lat]: readonly unknown[] = value;
  return typeof lng === "number" && typeof lat === "number" ? vertexAt(lng, lat) : null;
}

/** All items of a list that is not empty, or null when one of them is. */
function listOf<T>(value: Json | undefined, parse: (item: Json) => T | null): T[] | null {
  if (!Array.isArray(value) || value.length === 0) {
    return null;
  }
  const items: T[] = [];
  for (const item of value as readonly Json[]) {
    const parsed = parse(item);
    if (parsed === null) {
      return null;
    }
    items.push(parsed);
  }
  return items;
}

function bagOf(value: Json): JsonBag | null {
  return isBag(value) ? value : null;
}

function isBag(value: Json): value is JsonBag {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
