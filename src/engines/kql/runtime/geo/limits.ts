/** The tolerance of functions that approximate, when none is given. */
export const DEFAULT_TOLERANCE_METERS = 10;

/** Range of the tolerance of the densify functions. */
const DENSIFY_TOLERANCE_MIN_METERS = 0.1;
const DENSIFY_TOLERANCE_MAX_METERS = 10_000;

/** Upper end, not included, of the tolerance of the simplify functions: nearly 70 degrees. */
const SIMPLIFY_TOLERANCE_MAX_METERS = 7_800_000;

export const DEFAULT_S2_LEVEL = 11;
export const DEFAULT_H3_RESOLUTION = 6;
export const DEFAULT_GEOHASH_ACCURACY = 5;

export function isDensifyTolerance(meters: number): boolean {
  return meters >= DENSIFY_TOLERANCE_MIN_METERS && meters <= DENSIFY_TOLERANCE_MAX_METERS;
}

export function isSimplifyTolerance(meters: number): boolean {
  return meters >= 0 && meters < SIMPLIFY_TOLERANCE_MAX_METERS;
}
