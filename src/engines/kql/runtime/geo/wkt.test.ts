import { deepEqual, equal, throws } from "node:assert/strict";
import { suite, test } from "node:test";
import { call, line, point, polygon } from "./geo.fixture.ts";

suite("well-known text", () => {
  test("every kind of shape becomes GeoJSON", () => {
    deepEqual(call("geo_from_wkt", "POINT (5 -6.5)"), point(5, -6.5));
    deepEqual(call("geo_from_wkt", "LineString(0 0,1e1 .5)"), line([0, 0], [10, 0.5]));
    deepEqual(
      call("geo_from_wkt", "POLYGON ((0 0, 4 0, 0 4, 0 0), (1 1, 1 2, 2 1, 1 1))"),
      polygon(
        [
          [0, 0],
          [4, 0],
          [0, 4],
          [0, 0],
        ],
        [
          [1, 1],
          [1, 2],
          [2, 1],
          [1, 1],
        ],
      ),
    );
    const points = {
      type: "MultiPoint",
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    };
    deepEqual(call("geo_from_wkt", "MULTIPOINT (1 2, 3 4)"), points);
    deepEqual(call("geo_from_wkt", "MULTIPOINT ((1 2), (3 4))"), points);
    deepEqual(call("geo_from_wkt", "MULTILINESTRING ((0 0, 1 1), (2 2, 3 3))"), {
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
    });
    deepEqual(call("geo_from_wkt", "MULTIPOLYGON (((0 0, 1 0, 0 1, 0 0)))"), {
      type: "MultiPolygon",
      coordinates: [
        [
          [
            [0, 0],
            [1, 0],
            [0, 1],
            [0, 0],
          ],
        ],
      ],
    });
    deepEqual(call("geo_from_wkt", " geometrycollection ( POINT(1 2) , LINESTRING(0 0, 1 1) ) "), {
      type: "GeometryCollection",
      geometries: [point(1, 2), line([0, 0], [1, 1])],
    });
  });

  test("text that is malformed or of another kind gives null", () => {
    const invalid = [
      "",
      "POINT",
      "POINT (1)",
      "POINT (1 2 3)",
      "POINT (1 2) x",
      "POINT (1 2",
      "POINT EMPTY",
      "POINT (1 2, 3 4)",
      "CIRCLE (1 2)",
      "LINESTRING (1 2; 3 4)",
      "POLYGON (0 0, 1 0, 0 1, 0 0)",
      `${"GEOMETRYCOLLECTION (".repeat(100)}POINT (1 1)${")".repeat(100)}`,
    ];
    for (const text of invalid) {
      equal(call("geo_from_wkt", text), null);
    }
  });
});

suite("places of addresses", () => {
  test("looking up an address is refused by name, for want of a database", () => {
    throws(() => call("geo_info_from_ip_address", "192.0.2.1"), /geo_info_from_ip_address/u);
  });
});
