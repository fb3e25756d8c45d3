import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { variadicFunction } from "../variadic-function.ts";
import { fitLine } from "./lines.ts";
import { numbersOf } from "./series.ts";

/** Shortest period, in points. */
const PERIOD_MIN = 4;
const PERIODS_MAX = 16;
/** Correlation of noise stays below this divided by the root of the length, 19 times in 20. */
const NOISE = 1.96;
/** The part of a period by which a better one has to be away. */
const NEIGHBOURHOOD = 0.25;
/** How far from a multiple of a period another one still counts as its multiple. */
const MULTIPLE_TOLERANCE = 0.1;

/** Both give an array of two series: the periods and their scores from 0 to 1. */
export const periodFunctions: readonly RuntimeFunction[] = [
  runtimeFunction(
    "series_periods_detect",
    ["dynamic", "real", "real", "long"],
    "dynamic",
    (series, ...[min, max, count]) => {
      const values = numbersOf(series);
      if (values === null) return null;
      const found = detectPeriods(values, { min, max });
      const wanted = Math.min(Number(count), PERIODS_MAX);
      const padded = Array.from({ length: wanted }, (_, at) => found[at] ?? NO_PERIOD);
      return [padded.map(({ period }) => period), padded.map(({ score }) => score)];
    },
  ),
  variadicFunction(
    { name: "series_periods_validate", first: ["dynamic"], rest: "real", returns: "dynamic" },
    (series, periods) => {
      const values = numbersOf(series);
      return values === null ? null : [periods, periods.map((period) => scoreOf(values, period))];
    },
  ),
];

interface Period {
  readonly period: number;
  readonly score: number;
}

const NO_PERIOD: Period = { period: 0, score: 0 };

/**
 * Periods by falling score. A period is a lag at which the series, freed of its linear trend,
 * correlates with itself more than at the lags around it and more than noise does; multiples of
 * a period are no periods of their own.
 */
export function detectPeriods(
  values: readonly number[],
  { min, max }: { readonly min: number; readonly max: number },
): Period[] {
  const correlations = correlationsOf(values);
  const first = Math.max(PERIOD_MIN, Math.ceil(min));
  // Twice is not enough to call it a period.
  const last = Math.min(Math.ceil(values.length / 2) - 1, Math.floor(max));
  const candidates = Array.from({ length: Math.max(last - first + 1, 0) }, (_, at) => first + at)
    .filter((lag) => isPeak(correlations, lag))
    .map((lag) => ({ period: lag, score: correlations[lag] ?? 0 }))
    .toSorted((one, other) => other.score - one.score);

  const found: Period[] = [];
  for (const candidate of candidates) {
    if (!found.some(({ period }) => isMultiple(candidate.period, period))) found.push(candidate);
  }
  return found;
}

function scoreOf(values: readonly number[], period: number | null): number {
  const lag = Math.round(period ?? 0);
  if (lag < PERIOD_MIN || lag > values.length / 2) return 0;
  const correlations = correlationsOf(values);
  return isPeak(correlations, lag) ? (correlations[lag] ?? 0) : 0;
}

/** Correlation of the detrended series with itself, by lag, up to just past half its length. */
function correlationsOf(values: readonly number[]): number[] {
  const { line_fit: line } = fitLine(values);
  const rest = Float64Array.from(values, (value, at) => value - (line[at] ?? 0));
  const total = lagged(rest, 0);
  const lags = Math.min(Math.floor(values.length / 2) + 2, values.length);
  return Array.from({ length: lags }, (_, lag) => {
    // For want of what lies beyond the ends, longer lags have fewer products.
    const scale = values.length / (values.length - lag);
    return total === 0 ? 0 : Math.min((lagged(rest, lag) / total) * scale, 1);
  });
}

function lagged(values: Float64Array, lag: number): number {
  let sum = 0;
  for (let at = lag; at < values.length; at += 1) {
    sum += (values[at] ?? 0) * (values[at - lag] ?? 0);
  }
  return sum;
}

function isPeak(correlations: readonly number[], lag: number): boolean {
  const width = Math.max(1, Math.floor(lag * NEIGHBOURHOOD));
  const here = correlations[lag] ?? 0;
  const noise = NOISE / Math.sqrt((correlations.length - 2) * 2);
  const before = correlations.slice(Math.max(lag - width, 0), lag);
  const after = correlations.slice(lag + 1, lag + 1 + width);
  return here > noise && before.every((it) => here > it) && after.every((it) => here >= it);
}

function isMultiple(period: number, base: number): boolean {
  const times = Math.round(period / base);
  return times >= 1 && Math.abs(period / base - times) <= MULTIPLE_TOLERANCE * times;
}
