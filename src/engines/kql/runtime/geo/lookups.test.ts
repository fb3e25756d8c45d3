import { deepEqual } from "node:assert/strict";
import { suite, test } from "node:test";
import { line, polygon, square } from "./geo.fixture.ts";
import { createLineLookup, createPolygonLookup } from "./lookups.ts";

suite("lookups", () => {
  test("a point finds all polygons that hold it, in their order", () => {
    const find = createPolygonLookup([
      polygon(square(0, 0, 2)),
      polygon(square(10, 10, 2)),
      polygon(square(1, 1, 2)),
      polygon([[0, 0]]),
      null,
    ]);
    deepEqual(find(1.5, 1.5), [0, 2]);
    deepEqual(find(11, 11), [1]);
    deepEqual(find(5, 5), []);
    deepEqual(find(200, 5), []);
  });

  test("with a radius a point also finds polygons near it", () => {
    const polygons = [polygon(square(0, 0, 2))];
    deepEqual(createPolygonLookup(polygons, 60_000)(2.5, 1), [0]);
    deepEqual(createPolygonLookup(polygons, 50_000)(2.5, 1), []);
    deepEqual(createPolygonLookup(polygons, 50_000)(1, 1), [0]);
    deepEqual(createPolygonLookup(polygons, null)(2.5, 1), []);
  });

  test("a polygon larger than any circle around it is found all the same", () => {
    const wide = polygon([
      [-100, -1],
      [0, -1],
      [100, -1],
      [100, 1],
      [0, 1],
      [-100, 1],
      [-100, -1],
    ]);
    deepEqual(createPolygonLookup([wide])(95, 0.5), [0]);
    deepEqual(createPolygonLookup([wide])(150, 0), []);
  });

  test("a point finds the lines within the radius", () => {
    const find = createLineLookup(
      [line([0, 0], [4, 0]), line([0, 1], [4, 1]), line([9, 9])],
      70_000,
    );
    deepEqual(find(2, 0.5), [0, 1]);
    deepEqual(find(2, -0.5), [0]);
    deepEqual(find(2, -0.7), []);
    deepEqual(find(4.5, 1), [1]);
  });
});
