import { deepEqual, equal } from "node:assert/strict";
import { suite, test } from "node:test";
import { call, callRounded, multiPolygon, point, polygon, square } from "./geo.fixture.ts";

/** The part of the sphere between the equator, two meridians and the north pole. */
const OCTANT = polygon([
  [0, 0],
  [90, 0],
  [0, 90],
  [0, 0],
]);
const SPHERE_AREA = 4 * Math.PI * 6_371_010 ** 2;

suite("polygons", () => {
  test("an octant has an eighth of the area and three quarters of a circumference", () => {
    equal(callRounded(0, "geo_polygon_area", OCTANT), Math.round(SPHERE_AREA / 8));
    equal(callRounded(0, "geo_polygon_perimeter", OCTANT), 30_022_677);
    deepEqual(callRounded(6, "geo_polygon_centroid", OCTANT), point(45, 35.26439));
  });

  test("the direction of a ring does not matter: the smaller side counts", () => {
    const clockwise = polygon([
      [0, 0],
      [0, 90],
      [90, 0],
      [0, 0],
    ]);
    equal(callRounded(0, "geo_polygon_area", clockwise), Math.round(SPHERE_AREA / 8));
  });

  test("a hole is not part of the polygon", () => {
    const frame = polygon(square(0, 0, 3), square(1, 1, 1).toReversed());
    equal(call("geo_point_in_polygon", 0.5, 0.5, frame), true);
    equal(call("geo_point_in_polygon", 1.5, 1.5, frame), false);
    equal(callRounded(0, "geo_distance_point_to_polygon", 1.5, 1.5, frame), 55_578);
    deepEqual(callRounded(6, "geo_closest_point_on_polygon", 1.9, 1.5, frame), point(2, 1.500002));
  });

  test("a point inside is its own closest point and no distance away", () => {
    deepEqual(call("geo_closest_point_on_polygon", 10, 20, OCTANT), point(10, 20));
    equal(call("geo_distance_point_to_polygon", 10, 20, OCTANT), 0);
    equal(callRounded(0, "geo_distance_point_to_polygon", -1, 0, OCTANT), 111_195);
  });

  test("polygons lie across the antimeridian and around a pole", () => {
    const pacific = polygon([
      [170, -10],
      [-170, -10],
      [-170, 10],
      [170, 10],
      [170, -10],
    ]);
    equal(call("geo_point_in_polygon", 180, 0, pacific), true);
    equal(call("geo_point_in_polygon", -175, 5, pacific), true);
    equal(call("geo_point_in_polygon", 0, 0, pacific), false);
    const arctic = polygon([
      [0, 70],
      [120, 70],
      [-120, 70],
      [0, 70],
    ]);
    equal(call("geo_point_in_polygon", 33, 90, arctic), true);
    equal(call("geo_point_in_polygon", 60, 60, arctic), false);
  });

  test("parts that overlap count once", () => {
    const twice = multiPolygon([square(0, 0, 1)], [square(0, 0, 1)]);
    const once = polygon(square(0, 0, 1));
    equal(callRounded(3, "geo_polygon_area", twice), callRounded(3, "geo_polygon_area", once));
    equal(
      callRounded(3, "geo_polygon_perimeter", twice),
      callRounded(3, "geo_polygon_perimeter", once),
    );
  });

  test("rings that are open, too short, repeat a corner or cross are invalid", () => {
    const invalid = [
      polygon([
        [0, 0],
        [1, 0],
        [0, 1],
      ]),
      polygon([
        [0, 0],
        [1, 0],
        [0, 0],
      ]),
      polygon([
        [0, 0],
        [1, 0],
        [1, 0],
        [0, 0],
      ]),
      polygon([
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0],
      ]),
      polygon(square(0, 0, 2), square(1, 1, 3)),
      polygon(square(0, 0, 2), square(0, 0, 2)),
      polygon(square(0, 89.5, 1)),
      multiPolygon([square(0, 0, 1)], []),
      { type: "Polygon", coordinates: [] },
      { type: "Polygon" },
    ];
    for (const value of invalid) {
      equal(call("geo_polygon_area", value), null);
      equal(call("geo_point_in_polygon", 0, 0, value), null);
    }
  });

  test("edges along a parallel are divided until their parts follow it", () => {
    const box = polygon(square(20, 60, 2));
    deepEqual(
      call("geo_polygon_densify", box, 400),
      polygon([
        [20, 60],
        [21, 60],
        [22, 60],
        [22, 62],
        [21, 62],
        [20, 62],
        [20, 60],
      ]),
    );
    equal(call("geo_polygon_densify", box, 0), null);
  });

  test("corners within the tolerance of a straight edge are left out", () => {
    const notched = polygon([
      [0, 0],
      [1, 0.0001],
      [2, 0],
      [1, 2],
      [0, 0],
    ]);
    deepEqual(
      call("geo_polygon_simplify", notched, 50),
      polygon([
        [0, 0],
        [2, 0],
        [1, 2],
        [0, 0],
      ]),
    );
    deepEqual(call("geo_polygon_simplify", notched), notched);
    equal(call("geo_polygon_simplify", notched, 500_000), null);
    equal(call("geo_polygon_simplify", notched, -0.1), null);
  });

  test("polygons that share borders are simplified as one", () => {
    const parts = [polygon(square(0, 0, 1)), polygon(square(1, 0, 1))];
    const simple = call("geo_simplify_polygons_array", parts, 100);
    equal(
      callRounded(0, "geo_polygon_area", simple),
      callRounded(0, "geo_polygon_area", call("geo_union_polygons_array", parts)),
    );
    equal(call("geo_simplify_polygons_array", [...parts, polygon([[0, 0]])]), null);
  });
});
