import type { Scale } from "./unit-tables.ts";

const SPEED_LENGTHS = {
  Centimeter: 1e-2,
  Decimeter: 1e-1,
  Foot: 0.3048,
  Inch: 0.0254,
  Kilometer: 1e3,
  Meter: 1,
  Micrometer: 1e-6,
  Millimeter: 1e-3,
  Nanometer: 1e-9,
  UsSurveyFoot: 1200 / 3937,
  Yard: 0.9144,
};
const SPEED_TIMES = { Second: 1, Minute: 60, Hour: 3600 };
/** Combinations that the language does not have. */
const NO_SPEEDS = new Set(["DecimeterPerHour", "MicrometerPerHour", "NanometerPerHour"]);

/** In metres a second. */
export const SPEEDS: Scale = {
  ...Object.fromEntries(
    Object.entries(SPEED_LENGTHS)
      .flatMap(([length, metres]) =>
        Object.entries(SPEED_TIMES).map(
          ([time, seconds]) => [`${length}Per${time}`, metres / seconds] as const,
        ),
      )
      .filter(([name]) => !NO_SPEEDS.has(name)),
  ),
  Knot: 1852 / 3600,
  MilePerHour: 1609.344 / 3600,
};

const GALLON_US = 3.785411784e-3;
const GALLON_IMPERIAL = 4.54609e-3;
const FOOT_CUBED = 0.3048 ** 3;
const LITER = 1e-3;

/** In cubic metres. */
export const VOLUMES: Scale = {
  AcreFoot: 1 / 0.000810714,
  AuTablespoon: 2e-5,
  BoardFoot: FOOT_CUBED / 12,
  Centiliter: LITER * 1e-2,
  CubicCentimeter: 1e-6,
  CubicDecimeter: 1e-3,
  CubicFoot: FOOT_CUBED,
  CubicHectometer: 1e6,
  CubicInch: 0.0254 ** 3,
  CubicKilometer: 1e9,
  CubicMeter: 1,
  CubicMicrometer: 1e-18,
  CubicMile: 1609.344 ** 3,
  CubicMillimeter: 1e-9,
  CubicYard: 0.9144 ** 3,
  Decaliter: LITER * 10,
  DecausGallon: GALLON_US * 10,
  Deciliter: LITER * 1e-1,
  DeciusGallon: GALLON_US * 1e-1,
  HectocubicFoot: FOOT_CUBED * 1e2,
  HectocubicMeter: 1e2,
  Hectoliter: LITER * 1e2,
  HectousGallon: GALLON_US * 1e2,
  ImperialBeerBarrel: GALLON_IMPERIAL * 36,
  ImperialGallon: GALLON_IMPERIAL,
  ImperialOunce: GALLON_IMPERIAL / 160,
  ImperialPint: GALLON_IMPERIAL / 8,
  KilocubicFoot: FOOT_CUBED * 1e3,
  KilocubicMeter: 1e3,
  KiloimperialGallon: GALLON_IMPERIAL * 1e3,
  Kiloliter: LITER * 1e3,
  KilousGallon: GALLON_US * 1e3,
  Liter: LITER,
  MegacubicFoot: FOOT_CUBED * 1e6,
  MegaimperialGallon: GALLON_IMPERIAL * 1e6,
  Megaliter: LITER * 1e6,
  MegausGallon: GALLON_US * 1e6,
  MetricCup: 2.5e-4,
  MetricTeaspoon: 5e-6,
  Microliter: LITER * 1e-6,
  Milliliter: LITER * 1e-3,
  OilBarrel: GALLON_US * 42,
  UkTablespoon: 1.5e-5,
  UsBeerBarrel: GALLON_US * 31,
  UsCustomaryCup: GALLON_US / 16,
  UsGallon: GALLON_US,
  UsLegalCup: 2.4e-4,
  UsOunce: GALLON_US / 128,
  UsPint: GALLON_US / 8,
  UsQuart: GALLON_US / 4,
  UsTablespoon: GALLON_US / 256,
  UsTeaspoon: GALLON_US / 768,
};

/** Kelvin as `value * scale + offset`. */
export const TEMPERATURES: Readonly<Record<string, readonly [scale: number, offset: number]>> = {
  DegreeCelsius: [1, 273.15],
  DegreeDelisle: [-2 / 3, 373.15],
  DegreeFahrenheit: [5 / 9, 459.67 * (5 / 9)],
  DegreeNewton: [100 / 33, 273.15],
  DegreeRankine: [5 / 9, 0],
  DegreeReaumur: [5 / 4, 273.15],
  DegreeRoemer: [40 / 21, 273.15 - 7.5 * (40 / 21)],
  Kelvin: [1, 0],
  MillidegreeCelsius: [1e-3, 273.15],
  SolarTemperature: [5778, 0],
};
