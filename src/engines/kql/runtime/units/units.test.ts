import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { callerOf } from "../call-function.ts";
import { unitFunctions } from "./index.ts";

const call = callerOf(unitFunctions);

function isClose(actual: unknown, expected: number): void {
  assert.ok(typeof actual === "number");
  const difference = Math.abs(actual - expected);
  assert.ok(difference <= 1e-9 * Math.abs(expected), `${actual} is not ${expected}`);
}

void suite("units", () => {
  test("are converted within their family", () => {
    isClose(call("convert_angle", 1.2, "Degree", "Arcminute"), 72);
    isClose(call("convert_angle", 30, "Degree", "Tilt"), 0.5);
    isClose(call("convert_angle", 0.5, "Tilt", "Degree"), 30);
    isClose(call("convert_energy", 1.2, "Joule", "BritishThermalUnit"), 0.00113738054437598);
    isClose(call("convert_force", 1.2, "Newton", "Decanewton"), 0.12);
    isClose(call("convert_length", 1.2, "Meter", "Foot"), 3.93700787401575);
    isClose(call("convert_mass", 1.2, "Pound", "Kilogram"), 0.544310844);
    isClose(call("convert_speed", 1.2, "MeterPerSecond", "CentimeterPerHour"), 432000);
    isClose(call("convert_volume", 1.2, "CubicMeter", "AcreFoot"), 0.0009728568);
  });

  test("of temperature have their own zero", () => {
    isClose(call("convert_temperature", 1.2, "Kelvin", "DegreeCelsius"), -271.95);
    isClose(call("convert_temperature", 212, "DegreeFahrenheit", "DegreeCelsius"), 100);
    isClose(call("convert_temperature", 0, "DegreeDelisle", "DegreeCelsius"), 100);
    isClose(call("convert_temperature", 7.5, "DegreeRoemer", "Kelvin"), 273.15);
  });

  test("that are not known give null", () => {
    assert.equal(call("convert_length", 1, "Meter", "Smoot"), null);
    assert.equal(call("convert_temperature", 1, "Kelvin", "Meter"), null);
    assert.equal(call("convert_speed", 1, "Mach", "Knot"), null);
    assert.equal(call("convert_length", null, "Meter", "Foot"), null);
  });
});
