const UNITS = ["Bytes", "KB", "MB", "GB", "TB", "PB", "EB"] as const;
const STEP = 1024;
const PRECISION_MAX = 15;

/**
 * A size in the unit that fits it, or in the one that is named: `10.1 KB`. Rounded to a number of
 * decimals, of which zeros at the end are not written; `""` for a unit that is none.
 */
export function formatBytes(size: number, precision: bigint | null, unit: string | null): string {
  const wanted = unit ?? "";
  const named = UNITS.findIndex((name) => name.toLowerCase() === wanted.toLowerCase());
  if (wanted !== "" && named < 0) return "";
  const power = wanted === "" ? fittingPower(Math.abs(size)) : named;
  const decimals = Math.min(Math.max(Number(precision ?? 0n), 0), PRECISION_MAX);
  return `${Number((size / STEP ** power).toFixed(decimals))} ${UNITS[power]}`;
}

function fittingPower(size: number): number {
  const power = UNITS.findLastIndex((_, at) => size >= STEP ** at);
  return Math.max(power, 0);
}
