import { deepEqual, equal } from "node:assert/strict";
import { suite, test } from "node:test";
import type { Json } from "../../types.ts";
import { call, callRounded, point, polygon } from "./geo.fixture.ts";

function listOf(value: ReturnType<typeof call>): string[] {
  return Array.isArray(value) ? (value as readonly Json[]).map(String) : [];
}

function textOf(value: ReturnType<typeof call>): string {
  return typeof value === "string" ? value : "";
}

suite("geohashes", () => {
  test("a geohash halves the world letter by letter", () => {
    equal(call("geo_point_to_geohash", 1, 1, 1), "s");
    equal(call("geo_point_to_geohash", -180, -90, 3), "000");
    equal(call("geo_point_to_geohash", 180, 90, 3), "zzz");
    equal(call("geo_point_to_geohash", 13.4, 52.5), "u33d8");
    const longest = textOf(call("geo_point_to_geohash", 13.4, 52.5, 18));
    equal(longest.length, 18);
    equal(longest.startsWith("u33d8"), true);
  });

  test("a cell has a centre and four corners", () => {
    deepEqual(call("geo_geohash_to_central_point", "s"), point(22.5, 22.5));
    deepEqual(
      call("geo_geohash_to_polygon", "S"),
      polygon([
        [0, 0],
        [45, 0],
        [45, 45],
        [0, 45],
        [0, 0],
      ]),
    );
  });

  test("the neighbours of a cell are around it, fewer at a pole", () => {
    deepEqual(listOf(call("geo_geohash_neighbors", "s")).toSorted(), [
      "7",
      "e",
      "g",
      "k",
      "m",
      "t",
      "u",
      "v",
    ]);
    equal(listOf(call("geo_geohash_neighbors", "zzz")).length, 5);
  });

  test("letters that are none of the alphabet and lengths out of range are invalid", () => {
    for (const hash of ["", "a", "s!", "s".repeat(19)]) {
      equal(call("geo_geohash_to_central_point", hash), null);
      equal(call("geo_geohash_to_polygon", hash), null);
      equal(call("geo_geohash_neighbors", hash), null);
    }
    for (const accuracy of [0, 19, 1.5, null]) {
      equal(call("geo_point_to_geohash", 1, 1, accuracy), "");
    }
    equal(call("geo_point_to_geohash", 1, 95), "");
  });
});

suite("S2 cells", () => {
  test("a point has one cell on every level", () => {
    equal(call("geo_point_to_s2cell", 0, 0, 0), "1");
    equal(call("geo_point_to_s2cell", 13.4, 52.5), call("geo_point_to_s2cell", 13.4, 52.5, 11));
    equal(textOf(call("geo_point_to_s2cell", 13.4, 52.5, 30)).length, 16);
    equal(call("geo_point_to_s2cell", 1, 1, 31), "");
    equal(call("geo_point_to_s2cell", 1, 1, -1), "");
  });

  test("a face has its centre where an axis leaves the Earth", () => {
    deepEqual(call("geo_s2cell_to_central_point", "1"), point(0, 0));
    deepEqual(
      callRounded(3, "geo_s2cell_to_polygon", "1"),
      polygon([
        [-45, -35.264],
        [45, -35.264],
        [45, 35.264],
        [-45, 35.264],
        [-45, -35.264],
      ]),
    );
  });

  test("a cell has eight neighbours, a face four", () => {
    const cell = call("geo_point_to_s2cell", 13.4, 52.5, 9);
    const neighbors = listOf(call("geo_s2cell_neighbors", cell));
    equal(new Set(neighbors).size, 8);
    equal(neighbors.includes(textOf(cell)), false);
    equal(listOf(call("geo_s2cell_neighbors", "1")).length, 4);
  });

  test("tokens that are no cell are invalid", () => {
    for (const token of ["", "a", "x", "0", "ffffffffffffffff", "10000000000000001"]) {
      equal(call("geo_s2cell_to_central_point", token), null);
      equal(call("geo_s2cell_to_polygon", token), null);
      equal(call("geo_s2cell_neighbors", token), null);
    }
  });
});

suite("H3 cells", () => {
  const cell = call("geo_point_to_h3cell", 13.4, 52.5, 7);

  test("a cell knows its level, its parent and its children", () => {
    equal(call("geo_h3cell_level", cell), 7);
    const parent = call("geo_h3cell_parent", cell);
    equal(parent, call("geo_h3cell_parent", cell, 6));
    equal(listOf(call("geo_h3cell_children", parent)).includes(textOf(cell)), true);
    equal(listOf(call("geo_h3cell_children", cell, 10)).length, 343);
    equal(call("geo_point_to_h3cell", 13.4, 52.5), call("geo_point_to_h3cell", 13.4, 52.5, 6));
  });

  test("levels out of range, not finer or more than five away are refused", () => {
    equal(call("geo_h3cell_children", cell, 7), null);
    equal(call("geo_h3cell_children", cell, 13), null);
    equal(call("geo_h3cell_parent", cell, 7), "");
    equal(call("geo_h3cell_parent", cell, -1), "");
    equal(call("geo_h3cell_parent", call("geo_point_to_h3cell", 1, 1, 0)), "");
    equal(call("geo_point_to_h3cell", 1, 1, 16), "");
  });

  test("the centre of a cell is in the cell and in its polygon", () => {
    const center = JSON.stringify(call("geo_h3cell_to_central_point", cell));
    const [lng = 0, lat = 0] = center.match(/-?\d+\.\d+/gu)?.map(Number) ?? [];
    equal(call("geo_point_to_h3cell", lng, lat, 7), cell);
    equal(call("geo_point_in_polygon", lng, lat, call("geo_h3cell_to_polygon", cell)), true);
  });

  test("rings start with the cell and go outwards", () => {
    const rings = call("geo_h3cell_rings", cell, 2);
    const sizes = Array.isArray(rings) ? rings.map((ring: Json) => listOf(ring).length) : [];
    deepEqual(sizes, [1, 6, 12]);
    deepEqual(call("geo_h3cell_rings", cell, 1), [[cell], call("geo_h3cell_neighbors", cell)]);
    equal(call("geo_h3cell_rings", cell, 143), null);
    equal(call("geo_h3cell_rings", cell, -1), null);
  });

  test("text that is no cell is invalid", () => {
    for (const text of ["", "abc", "862a1072ffffffff", "S"]) {
      equal(call("geo_h3cell_level", text), null);
      equal(call("geo_h3cell_neighbors", text), null);
      equal(call("geo_h3cell_children", text), null);
      equal(call("geo_h3cell_to_central_point", text), null);
      equal(call("geo_h3cell_to_polygon", text), null);
      equal(call("geo_h3cell_rings", text, 1), null);
      equal(call("geo_h3cell_parent", text), "");
    }
  });
});
