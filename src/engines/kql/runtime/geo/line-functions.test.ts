import { deepEqual, equal } from "node:assert/strict";
import { suite, test } from "node:test";
import { call, callRounded, line, point } from "./geo.fixture.ts";

const NORTHWARD = line([30, 0], [30, 1], [30, 4]);

suite("lines", () => {
  test("a line is as long as its edges together", () => {
    equal(callRounded(0, "geo_line_length", NORTHWARD), 444_780);
  });

  test("a stretch that several parts pass over counts once", () => {
    const lines = {
      type: "MultiLineString",
      coordinates: [
        [
          [30, 0],
          [30, 3],
        ],
        [
          [30, 4],
          [30, 1],
        ],
      ],
    };
    equal(callRounded(0, "geo_line_length", lines), 444_780);
  });

  test("the centre of a line is in the middle of its length", () => {
    deepEqual(callRounded(9, "geo_line_centroid", NORTHWARD), point(30, 2));
  });

  test("a point that is repeated adds nothing to a line", () => {
    const repeated = line([30, 0], [30, 0], [30, 1], [30, 4], [30, 4]);
    equal(callRounded(0, "geo_line_length", repeated), 444_780);
    equal(callRounded(0, "geo_distance_point_to_line", 31, 0, repeated), 111_195);
    equal(call("geo_line_length", line([1, 1], [1, 1])), null);
  });

  test("a line with one point, without a shortest way or out of range is invalid", () => {
    const invalid = [
      line([1, 1]),
      line([0, 0], [180, 0]),
      line([0, 0], [0, 91]),
      line([0, 0], ["1", 0]),
      { type: "LineString" },
      { type: "LineString", coordinates: [] },
      { type: "MultiLineString", coordinates: [[[0, 0]]] },
      { type: "Polygon", coordinates: [[[0, 0]]] },
      "LINESTRING (0 0, 1 1)",
      [],
      5,
      null,
    ];
    for (const value of invalid) {
      equal(call("geo_line_length", value), null);
    }
  });

  test("the closest point of a line is on an edge or at its end", () => {
    deepEqual(callRounded(9, "geo_closest_point_on_line", 31, 9, NORTHWARD), point(30, 4));
    deepEqual(
      callRounded(6, "geo_closest_point_on_line", 5, 3, line([0, 0], [10, 0])),
      point(5, 0),
    );
    equal(callRounded(0, "geo_distance_point_to_line", 5, 3, line([0, 0], [10, 0])), 333_585);
    equal(call("geo_distance_point_to_line", 5, 93, NORTHWARD), null);
  });

  test("a fraction of a line and the point there belong to each other", () => {
    equal(callRounded(9, "geo_line_locate_point", NORTHWARD, 30, 3), 0.75);
    equal(callRounded(6, "geo_line_locate_point", NORTHWARD, 30, 3, true), 0.749995);
    equal(call("geo_line_locate_point", NORTHWARD, 30, -3), 0);
    deepEqual(callRounded(9, "geo_line_interpolate_point", NORTHWARD, 0.75), point(30, 3));
    deepEqual(call("geo_line_interpolate_point", NORTHWARD, 0), point(30, 0));
    deepEqual(call("geo_line_interpolate_point", NORTHWARD, 1), point(30, 4));
    equal(call("geo_line_interpolate_point", NORTHWARD, 1.01), null);
  });

  test("only a single line has places along it", () => {
    const two = {
      type: "MultiLineString",
      coordinates: [
        [
          [0, 0],
          [1, 1],
        ],
        [
          [2, 2],
          [3, 3],
        ],
      ],
    };
    equal(call("geo_line_locate_point", two, 0, 0), null);
    equal(call("geo_line_interpolate_point", two, 0.5), null);
  });

  test("an edge along a parallel is divided until its parts follow it", () => {
    deepEqual(
      call("geo_line_densify", line([20, 60], [22, 60]), 300),
      line([20, 60], [21, 60], [22, 60]),
    );
    deepEqual(call("geo_line_densify", NORTHWARD), NORTHWARD);
    equal(call("geo_line_densify", NORTHWARD, 0.05), null);
    equal(call("geo_line_densify", NORTHWARD, 10_001), null);
  });

  test("an edge over the antimeridian goes the short way only when asked to", () => {
    const crossing = line([179, 40], [-179, 40]);
    deepEqual(
      call("geo_line_densify", crossing, 300, true),
      line([179, 40], [180, 40], [-179, 40]),
    );
    const around = callRounded(0, "geo_line_length", call("geo_line_densify", crossing, 300));
    equal(typeof around === "number" && around > 30_000_000, true);
  });

  test("vertices within the tolerance of a straight line are left out", () => {
    const wiggly = line([0, 0], [1, 0.0001], [2, -0.0001], [3, 1]);
    deepEqual(call("geo_line_simplify", wiggly, 50), line([0, 0], [2, -0.0001], [3, 1]));
    deepEqual(call("geo_line_simplify", wiggly), wiggly);
    deepEqual(call("geo_line_simplify", wiggly, 0), wiggly);
  });

  test("a line shorter than the tolerance disappears", () => {
    equal(call("geo_line_simplify", line([0, 0], [0, 0.1]), 20_000), null);
    equal(call("geo_line_simplify", NORTHWARD, -1), null);
    equal(call("geo_line_simplify", NORTHWARD, 7_800_000), null);
  });

  test("lines are united to as few as possible", () => {
    const first = line([0, 0], [0, 1], [1, 2]);
    const second = line([0, 1], [1, 2], [3, 3]);
    const apart = line([8, 8], [9, 9]);
    deepEqual(call("geo_union_lines_array", [first, second]), line([0, 0], [0, 1], [1, 2], [3, 3]));
    deepEqual(call("geo_union_lines_array", [first, apart]), {
      type: "MultiLineString",
      coordinates: [
        [
          [0, 0],
          [0, 1],
          [1, 2],
        ],
        [
          [8, 8],
          [9, 9],
        ],
      ],
    });
    equal(call("geo_union_lines_array", [first, line([1, 1])]), null);
    equal(call("geo_union_lines_array", []), null);
    equal(call("geo_union_lines_array", first), null);
  });
});
