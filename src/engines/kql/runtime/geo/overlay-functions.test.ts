import { deepEqual, equal } from "node:assert/strict";
import { suite, test } from "node:test";
import {
  call,
  callRounded,
  EMPTY,
  line,
  multiPolygon,
  point,
  polygon,
  square,
} from "./geo.fixture.ts";

const EQUATOR = line([-5, 0], [5, 0]);
const MERIDIAN = line([1, -5], [1, 5]);
const BOX = polygon(square(0, -1, 2));

function area(value: Parameters<typeof call>[1]): number {
  const result = call("geo_polygon_area", value ?? null);
  return typeof result === "number" ? result : Number.NaN;
}

suite("shapes with each other", () => {
  test("lines meet in a point, along a stretch or not at all", () => {
    deepEqual(callRounded(9, "geo_intersection_2lines", EQUATOR, MERIDIAN), point(1, 0));
    deepEqual(call("geo_intersection_2lines", EQUATOR, line([2, 0], [9, 0])), line([2, 0], [5, 0]));
    deepEqual(call("geo_intersection_2lines", EQUATOR, line([-5, 1], [5, 1])), EMPTY);
    equal(call("geo_intersects_2lines", EQUATOR, MERIDIAN), true);
    equal(call("geo_intersects_2lines", EQUATOR, line([5, 0], [7, 3])), true);
    equal(call("geo_intersects_2lines", EQUATOR, line([-5, 1], [5, 1])), false);
  });

  test("several meetings are one geometry of several points", () => {
    const zigzag = line([-4, -1], [-2, 1], [0, -1]);
    deepEqual(callRounded(6, "geo_intersection_2lines", zigzag, EQUATOR), {
      type: "MultiPoint",
      coordinates: [
        [-3, 0],
        [-1, 0],
      ],
    });
  });

  test("a line is cut to what lies in a polygon", () => {
    deepEqual(
      callRounded(9, "geo_intersection_line_with_polygon", EQUATOR, BOX),
      line([0, 0], [2, 0]),
    );
    deepEqual(call("geo_intersection_line_with_polygon", line([3, 0], [4, 0]), BOX), EMPTY);
    deepEqual(call("geo_intersection_line_with_polygon", line([2, 1], [4, 3]), BOX), point(2, 1));
    equal(call("geo_intersects_line_with_polygon", EQUATOR, BOX), true);
    equal(call("geo_intersects_line_with_polygon", line([0.5, 0], [1, 0]), BOX), true);
    equal(call("geo_intersects_line_with_polygon", line([3, 0], [4, 0]), BOX), false);
  });

  test("polygons have an area, a border, a corner or nothing in common", () => {
    const common = call("geo_intersection_2polygons", BOX, polygon(square(1, 0, 2)));
    deepEqual(
      callRounded(
        4,
        "geo_intersection_2polygons",
        polygon(square(0, 0, 2)),
        polygon(square(1, -1, 2)),
      ),
      polygon([
        [1, 0],
        [2, 0],
        [2, 1.0002],
        [1, 1],
        [1, 0],
      ]),
    );
    equal(area(common) > 0, true);
    deepEqual(
      call("geo_intersection_2polygons", polygon(square(0, 0, 1)), polygon(square(1, 0, 1))),
      line([1, 0], [1, 1]),
    );
    deepEqual(
      call("geo_intersection_2polygons", polygon(square(0, 0, 1)), polygon(square(1, 1, 1))),
      point(1, 1),
    );
    deepEqual(
      call("geo_intersection_2polygons", polygon(square(0, 0, 1)), polygon(square(2, 2, 1))),
      EMPTY,
    );
  });

  test("a polygon inside another is what they have in common", () => {
    const inner = polygon(square(0.5, -0.5, 1));
    deepEqual(call("geo_intersection_2polygons", BOX, inner), inner);
    equal(call("geo_intersects_2polygons", BOX, inner), true);
    equal(call("geo_intersects_2polygons", BOX, polygon(square(5, 5, 1))), false);
    equal(call("geo_intersects_2polygons", BOX, polygon(square(2, 1, 1))), true);
  });

  test("what two polygons have together and in common adds up to both", () => {
    const a = polygon(square(0, 0, 2));
    const b = polygon([
      [1, 1],
      [4, 0.5],
      [1.5, 5],
      [1, 1],
    ]);
    const whole = area(call("geo_union_polygons_array", [a, b]));
    const common = area(call("geo_intersection_2polygons", a, b));
    equal(Math.abs(whole + common - area(a) - area(b)) < 1, true);
  });

  test("neighbours are united without the border between them", () => {
    deepEqual(
      call("geo_union_polygons_array", [polygon(square(0, 0, 1)), polygon(square(0, 1, 1))]),
      polygon([
        [0, 1],
        [0, 0],
        [1, 0],
        [1, 1],
        [1, 2],
        [0, 2],
        [0, 1],
      ]),
    );
  });

  test("polygons that enclose a gap leave a hole, others stay apart", () => {
    const bars = [
      polygon([
        [0, 0],
        [3, 0],
        [3, 1],
        [2, 1],
        [1, 1],
        [0, 1],
        [0, 0],
      ]),
      polygon([
        [0, 2],
        [1, 2],
        [2, 2],
        [3, 2],
        [3, 3],
        [0, 3],
        [0, 2],
      ]),
      polygon(square(0, 1, 1)),
      polygon(square(2, 1, 1)),
    ];
    const ring = call("geo_union_polygons_array", bars);
    equal(call("geo_point_in_polygon", 1.5, 1.5, ring), false);
    equal(call("geo_point_in_polygon", 0.5, 1.5, ring), true);
    equal(JSON.stringify(ring).startsWith('{"type":"Polygon"'), true);
    deepEqual(
      call("geo_union_polygons_array", [polygon(square(0, 0, 1)), polygon(square(5, 5, 1))]),
      multiPolygon([square(0, 0, 1)], [square(5, 5, 1)]),
    );
  });

  test("an island in a lake on an island keeps its rings apart", () => {
    const outer = polygon(square(0, 0, 9), square(1, 1, 7).toReversed());
    const inner = polygon(square(2, 2, 5), square(3, 3, 3).toReversed());
    deepEqual(
      call("geo_union_polygons_array", [outer, inner]),
      multiPolygon(
        [square(0, 0, 9), square(1, 1, 7).toReversed()],
        [square(2, 2, 5), square(3, 3, 3).toReversed()],
      ),
    );
  });

  test("one invalid shape makes the answer null", () => {
    equal(call("geo_intersection_2lines", EQUATOR, line([1, 1])), null);
    equal(call("geo_intersects_2lines", BOX, EQUATOR), null);
    equal(call("geo_intersects_2polygons", BOX, EQUATOR), null);
    equal(call("geo_intersects_line_with_polygon", BOX, EQUATOR), null);
    equal(call("geo_union_polygons_array", [BOX, EQUATOR]), null);
    equal(call("geo_union_polygons_array", BOX), null);
  });
});
