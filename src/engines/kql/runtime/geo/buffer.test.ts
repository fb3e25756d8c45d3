import { equal } from "node:assert/strict";
import { suite, test } from "node:test";
import type { Json } from "../../types.ts";
import { edgesOfRing } from "./edge.ts";
import { call, line, polygon, square } from "./geo.fixture.ts";
import { lineEdges, parseLine } from "./line-shape.ts";
import { distanceToEdges } from "./measures.ts";
import { parsePolygon } from "./polygon-shape.ts";
import { interpolate, type Edge } from "./edge.ts";
import { radiansToMeters, vertexAt } from "./vertex.ts";

/** How near and how far the border of a buffer is from what it surrounds, in metres. */
function borderRange(buffer: Json, measure: (point: ReturnType<typeof interpolate>) => number) {
  const rings = parsePolygon(buffer)?.whole().rings ?? [];
  const distances = rings
    .flatMap(({ vertices }) => edgesOfRing(vertices))
    .flatMap((edge) => [0, 0.25, 0.5].map((fraction) => interpolate(edge, fraction)))
    .map((place) => radiansToMeters(measure(place)));
  return { least: Math.min(...distances), most: Math.max(...distances) };
}

function isWithin({ least, most }: ReturnType<typeof borderRange>, low: number, high: number) {
  return least > low - 1e-3 && most < high;
}

function toEdges(edges: readonly Edge[]) {
  return (place: ReturnType<typeof interpolate>): number => distanceToEdges(place, edges);
}

function json(value: ReturnType<typeof call>): Json {
  return typeof value === "bigint" ? null : value;
}

suite("buffers", () => {
  test("the border around a point is at the radius or beyond by the tolerance at most", () => {
    const center = vertexAt(10, 45);
    const edges = center === null ? [] : [{ from: center, to: center }];
    const buffer = json(call("geo_point_buffer", 10, 45, 5000));
    equal(isWithin(borderRange(buffer, toEdges(edges)), 5000, 5010), true);
    const coarse = json(call("geo_point_buffer", 10, 45, 5000, 2000));
    equal(isWithin(borderRange(coarse, toEdges(edges)), 5000, 7000), true);
  });

  test("the border around a line keeps the radius on both sides and at its ends", () => {
    const road = line([10, 45], [10.4, 45.1], [10.2, 45.3], [30, 50]);
    const edges = lineEdges(parseLine(road) ?? { parts: [] });
    const buffer = json(call("geo_line_buffer", road, 2000, 20));
    equal(isWithin(borderRange(buffer, toEdges(edges)), 2000, 2020), true);
  });

  test("a line around a place leaves a hole if the radius does not fill it", () => {
    const around = line([10, 45], [10.4, 45], [10.4, 45.4], [10, 45.4], [10, 45]);
    const buffer = call("geo_line_buffer", around, 1000);
    equal(call("geo_point_in_polygon", 10.2, 45.2, buffer), false);
    equal(call("geo_point_in_polygon", 10.2, 45, buffer), true);
    const filled = call("geo_line_buffer", around, 30_000);
    equal(call("geo_point_in_polygon", 10.2, 45.2, filled), true);
  });

  test("a polygon grows by the radius and loses holes that are filled", () => {
    const frame = polygon(square(10, 45, 1), square(10.5, 45.5, 0.01).toReversed());
    const buffer = call("geo_polygon_buffer", frame, 5000);
    equal(call("geo_point_in_polygon", 10.505, 45.505, frame), false);
    equal(call("geo_point_in_polygon", 10.505, 45.505, buffer), true);
    equal(call("geo_point_in_polygon", 10.5, 44.96, buffer), true);
    equal(call("geo_point_in_polygon", 10.5, 44.95, buffer), false);
  });

  test("a radius or tolerance of nothing is refused", () => {
    const road = line([0, 0], [1, 1]);
    equal(call("geo_line_buffer", road, 0), null);
    equal(call("geo_line_buffer", road, 10, 0), null);
    equal(call("geo_point_buffer", 0, 0, -1), null);
    equal(call("geo_point_buffer", 0, 0, Number.NaN), null);
    equal(call("geo_polygon_buffer", polygon(square(0, 0, 1)), 0), null);
  });

  test("a radius of a quarter around the Earth or more is refused", () => {
    equal(call("geo_point_buffer", 0, 0, 10_100_000), null);
  });
});
