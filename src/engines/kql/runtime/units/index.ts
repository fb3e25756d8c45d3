import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { SPEEDS, TEMPERATURES, VOLUMES } from "./more-unit-tables.ts";
import { ANGLES, ENERGIES, FORCES, LENGTHS, MASSES, type Scale } from "./unit-tables.ts";

/** The angle whose slope is the sine. */
const TILT = "Tilt";

/** From one unit to another; null for a unit that the family does not have. */
export const unitFunctions: readonly RuntimeFunction[] = [
  runtimeFunction("convert_angle", ["real", "string", "string"], "real", convertAngle),
  scaled("convert_energy", ENERGIES),
  scaled("convert_force", FORCES),
  scaled("convert_length", LENGTHS),
  scaled("convert_mass", MASSES),
  scaled("convert_speed", SPEEDS),
  scaled("convert_volume", VOLUMES),
  runtimeFunction("convert_temperature", ["real", "string", "string"], "real", convertTemperature),
];

function scaled(name: string, scale: Scale): RuntimeFunction {
  return runtimeFunction(name, ["real", "string", "string"], "real", (value, from, to) =>
    convert(scale, value, [from, to]),
  );
}

function convert(
  scale: Scale,
  value: number,
  [from, to]: readonly [string, string],
): number | null {
  const [source, target] = [scale[from], scale[to]];
  if (source === undefined || target === undefined) return null;
  return from === to ? value : (value * source) / target;
}

function convertAngle(value: number, from: string, to: string): number | null {
  if (from === TILT && to === TILT) return value;
  if (from === TILT) return convert(ANGLES, Math.asin(value), ["Radian", to]);
  if (to !== TILT) return convert(ANGLES, value, [from, to]);
  const radians = convert(ANGLES, value, [from, "Radian"]);
  return radians === null ? null : Math.sin(radians);
}

function convertTemperature(value: number, from: string, to: string): number | null {
  const [source, target] = [TEMPERATURES[from], TEMPERATURES[to]];
  if (source === undefined || target === undefined) return null;
  return from === to ? value : (value * source[0] + source[1] - target[1]) / target[0];
}
