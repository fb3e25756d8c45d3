import { deepEqual, equal } from "node:assert/strict";
import { suite, test } from "node:test";
import type { Json } from "../../types.ts";
import { call, line, multiPolygon, polygon, square } from "./geo.fixture.ts";

const BOX = polygon(square(10, 45, 0.5));

function cellsOf(name: string, ...values: Parameters<typeof call>[1][]): string[] {
  const cells = call(name, ...values);
  return Array.isArray(cells) ? (cells as readonly Json[]).map(String) : [];
}

function s2Cell(lng: number, lat: number, level: number): string {
  const cell = call("geo_point_to_s2cell", lng, lat, level);
  return typeof cell === "string" ? cell : "";
}

suite("coverings", () => {
  test("the cells of all points of a polygon cover it, inside and at its corners", () => {
    const cells = new Set(cellsOf("geo_polygon_to_s2cells", BOX, 12));
    for (let step = 0; step <= 50; step += 1) {
      const along = step / 100;
      equal(cells.has(s2Cell(10 + along, 45, 12)), true);
      equal(cells.has(s2Cell(10 + along, 45 + along, 12)), true);
    }
  });

  test("cells of one level in their order, each once", () => {
    const cells = cellsOf("geo_polygon_to_s2cells", BOX);
    deepEqual(cells, [...new Set(cells)].toSorted());
    deepEqual(cells, cellsOf("geo_polygon_to_s2cells", BOX, 11));
    deepEqual(cellsOf("geo_polygon_to_s2cells", multiPolygon([square(10, 45, 0.5)]), 11), cells);
  });

  test("a radius adds the cells around", () => {
    const narrow = cellsOf("geo_polygon_to_s2cells", BOX, 10, 0);
    const wide = new Set(cellsOf("geo_polygon_to_s2cells", BOX, 10, 20_000));
    equal(
      narrow.every((cell) => wide.has(cell)),
      true,
    );
    equal(wide.has(s2Cell(10.25, 45.67, 10)), true);
    equal(wide.size > narrow.length, true);
  });

  test("a line is covered along its way, and with a radius beside it", () => {
    const road = line([10, 45], [10.5, 45.2]);
    const cells = cellsOf("geo_line_to_s2cells", road, 13);
    equal(cells.includes(s2Cell(10, 45, 13)), true);
    equal(cells.includes(s2Cell(10.25, 45, 13)), false);
    const wide = cellsOf("geo_line_to_s2cells", road, 13, 12_000);
    equal(wide.includes(s2Cell(10.25, 45, 13)), true);
  });

  test("a wide triangle between three axes touches their faces", () => {
    const octant = polygon([
      [1, 1],
      [89, 1],
      [45, 89],
      [1, 1],
    ]);
    deepEqual(cellsOf("geo_polygon_to_s2cells", octant, 0), ["1", "3", "5"]);
  });

  test("levels and radii out of range and too many cells give null", () => {
    equal(call("geo_polygon_to_s2cells", BOX, 31), null);
    equal(call("geo_polygon_to_s2cells", BOX, 11, -1), null);
    equal(call("geo_polygon_to_s2cells", BOX, 24), null);
    equal(call("geo_line_to_s2cells", line([0, 0], [90, 0]), 20), null);
    equal(call("geo_polygon_to_h3cells", BOX, 16), null);
    equal(call("geo_polygon_to_h3cells", BOX, 6, -1), null);
    equal(call("geo_polygon_to_h3cells", BOX, 15), null);
    equal(call("geo_polygon_to_h3cells", line([0, 0], [1, 1])), null);
  });

  test("an H3 cell belongs to a polygon that holds its centre", () => {
    const cells = cellsOf("geo_polygon_to_h3cells", BOX, 7);
    equal(cells.length > 0, true);
    for (const cell of cells) {
      const center = JSON.stringify(call("geo_h3cell_to_central_point", cell));
      const [lng = 0, lat = 0] = center.match(/-?\d+\.\d+/gu)?.map(Number) ?? [];
      equal(lng > 10 && lng < 10.5 && lat > 45 && lat < 45.5, true);
    }
    const frame = polygon(square(10, 45, 0.5), square(10.1, 45.1, 0.3).toReversed());
    const framed = cellsOf("geo_polygon_to_h3cells", frame, 7);
    equal(framed.length < cells.length && framed.every((cell) => cells.includes(cell)), true);
  });

  test("a radius adds the H3 cells around", () => {
    const narrow = cellsOf("geo_polygon_to_h3cells", BOX);
    const wide = cellsOf("geo_polygon_to_h3cells", BOX, 6, 10_000);
    deepEqual(narrow, cellsOf("geo_polygon_to_h3cells", BOX, 6, 0));
    equal(narrow.every((cell) => wide.includes(cell)) && wide.length > narrow.length, true);
  });
});
