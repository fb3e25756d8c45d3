import type { Json } from "../../types.ts";
import { edgesOfRing, type Edge } from "./edge.ts";
import { parsePolygonParts, polygonsJson } from "./geojson.ts";
import { areEdgesShort } from "./line-shape.ts";
import { uniteRegions } from "./overlay.ts";
import { areRingsValid, regionEdges, regionOf, type Region } from "./region.ts";
import type { Vector } from "./vector.ts";
import type { Vertex } from "./vertex.ts";
import { isSamePlace } from "./vertex-pool.ts";

/** Three corners and the first one again. */
const RING_POSITIONS_MIN = 4;

/** A polygon of one or more parts, which may overlap. */
export interface PolygonShape {
  readonly parts: readonly Region[];
  /** The union of the parts. */
  readonly whole: () => Region;
}

const parsed = new WeakMap<object, PolygonShape | null>();

/** A polygon or multipolygon from its GeoJSON; null when invalid. Remembers what it has parsed. */
export function parsePolygon(value: Json): PolygonShape | null {
  if (typeof value !== "object" || value === null) {
    return null;
  }
  const known = parsed.get(value);
  if (known !== undefined) {
    return known;
  }
  const shape = buildPolygon(value);
  parsed.set(value, shape);
  return shape;
}

/** The rings of a polygon, without their closing vertex; null when they do not bound a region. */
function openRings(rings: readonly (readonly Vertex[])[]): Vertex[][] | null {
  const open: Vertex[][] = [];
  for (const ring of rings) {
    const first = ring[0];
    const last = ring.at(-1);
    const isClosed = first !== undefined && last !== undefined && isSamePlace(first, last);
    const vertices = ring.slice(0, -1);
    if (!isClosed || ring.length < RING_POSITIONS_MIN || !areEdgesShort(edgesOfRing(vertices))) {
      return null;
    }
    open.push(vertices);
  }
  return areRingsValid(open) ? open : null;
}

/** The union of regions, simplest first: two of the fewest vertices make one, until one is left. */
export function uniteAll(regions: readonly Region[]): Region {
  const queue = regions
    .map((region) => ({ region, size: regionEdges(region).length }))
    .toSorted((a, b) => a.size - b.size);
  for (;;) {
    const [a, b] = queue.splice(0, 2);
    if (a === undefined || b === undefined) {
      return a?.region ?? regionOf([]);
    }
    const size = a.size + b.size;
    const place = queue.findIndex((other) => other.size > size);
    const region = uniteRegions(a.region, b.region);
    queue.splice(place < 0 ? queue.length : place, 0, { region, size });
  }
}

export function polygonContains({ parts }: PolygonShape, point: Vector): boolean {
  return parts.some((part) => part.contains(point));
}

export function polygonEdges({ parts }: PolygonShape): Edge[] {
  return parts.flatMap(regionEdges);
}

/** A region as polygon or multipolygon; it must not be empty. */
export function regionJson({ rings }: Region): Json {
  const polygons: Vertex[][][] = [];
  const shells = new Map<number, Vertex[][]>();
  for (const { vertices, depth } of rings) {
    const polygon = depth % 2 === 1 ? shells.get(depth - 1) : undefined;
    if (polygon === undefined) {
      const shell = [[...vertices]];
      polygons.push(shell);
      shells.set(depth, shell);
    } else {
      polygon.push([...vertices]);
    }
  }
  return polygonsJson(polygons);
}

export function polygonOf(parts: readonly Region[]): PolygonShape {
  let whole: Region | undefined;
  return { parts, whole: () => (whole ??= uniteAll(parts)) };
}

function buildPolygon(value: Json): PolygonShape | null {
  const regions: Region[] = [];
  for (const part of parsePolygonParts(value) ?? []) {
    const rings = openRings(part);
    if (rings === null) {
      return null;
    }
    regions.push(regionOf(rings));
  }
  return regions.length === 0 ? null : polygonOf(regions);
}
