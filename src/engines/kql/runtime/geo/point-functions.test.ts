import { deepEqual, equal } from "node:assert/strict";
import { suite, test } from "node:test";
import { call, callRounded } from "./geo.fixture.ts";

suite("points", () => {
  test("a degree of a great circle is 111 kilometres in every direction", () => {
    const degree = 111_195.1;
    equal(callRounded(1, "geo_distance_2points", 20, 0, 21, 0), degree);
    equal(callRounded(1, "geo_distance_2points", 20, 60, 20, 61), degree);
    equal(callRounded(1, "geo_distance_2points", -179.5, 0, 179.5, 0), degree);
  });

  test("the distance to the opposite point is half the way around", () => {
    equal(callRounded(0, "geo_distance_2points", 0, 0, 180, 0), 20_015_118);
  });

  test("a point is no distance from itself, and millimetres are not lost", () => {
    equal(call("geo_distance_2points", 5, 5, 5, 5), 0);
    equal(callRounded(6, "geo_distance_2points", 0, 0, 0, 1e-9), 0.000111);
  });

  test("on the spheroid a degree is longer at the pole than at the equator", () => {
    equal(callRounded(2, "geo_distance_2points", 0, 0, 0, 1, true), 110_574.39);
    equal(callRounded(2, "geo_distance_2points", 0, 89, 0, 90, true), 111_693.86);
    equal(callRounded(1, "geo_distance_2points", 0, 0, 0, 1, false), 111_195.1);
  });

  test("coordinates out of range give null", () => {
    equal(call("geo_distance_2points", 180.1, 0, 0, 0), null);
    equal(call("geo_distance_2points", 0, 0, 0, -90.5), null);
    equal(call("geo_distance_2points", Number.NaN, 0, 0, 0), null);
    equal(call("geo_azimuth", 0, 91, 0, 0), null);
    equal(call("geo_point_in_circle", 0, 0, 181, 0, 5), null);
    equal(call("geo_point_buffer", 0, 95, 10), null);
  });

  test("an azimuth is measured clockwise from north", () => {
    const degrees = [
      [0, 1],
      [1, 0],
      [0, -1],
      [-1, 0],
    ].map(([lng = 0, lat = 0]) => call("geo_azimuth", 0, 0, lng, lat));
    deepEqual(degrees, [0, Math.PI / 2, Math.PI, (3 * Math.PI) / 2]);
  });

  test("there is no azimuth to the same or to the opposite point", () => {
    equal(call("geo_azimuth", 3, 4, 3, 4), null);
    equal(call("geo_azimuth", 3, 4, -177, -4), null);
  });

  test("an angle is measured clockwise from the way back to the way on", () => {
    equal(callRounded(9, "geo_angle", 0, 1, 0, 0, 1, 0), Number((Math.PI / 2).toFixed(9)));
    equal(callRounded(9, "geo_angle", 1, 0, 0, 0, 0, 1), Number((1.5 * Math.PI).toFixed(9)));
    equal(callRounded(9, "geo_angle", 0, 1, 0, 0, 0, -1), Number(Math.PI.toFixed(9)));
  });

  test("there is no angle at a corner that is one of the other points or opposite them", () => {
    equal(call("geo_angle", 1, 1, 1, 1, 2, 2), null);
    equal(call("geo_angle", 0, 0, 1, 1, 1, 1), null);
    equal(call("geo_angle", 0, 0, 180, 0, 2, 2), null);
  });

  test("a point is in a circle up to its radius", () => {
    equal(call("geo_point_in_circle", 0, 0.5, 0, 0, 55_598), true);
    equal(call("geo_point_in_circle", 0, 0.5, 0, 0, 55_597), false);
    equal(call("geo_point_in_circle", 0, 0.5, 0, 0, 0), null);
  });
});
