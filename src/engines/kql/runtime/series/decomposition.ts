import { KqlError } from "../../kql-error.ts";
import { fitLine } from "./lines.ts";
import { detectPeriods } from "./periods.ts";
import { meanOf, type Points, quantileOf, sortedNumbers } from "./series.ts";

export interface DecompositionOptions {
  /** Points of a period, -1 to find it, 0 for none. */
  readonly seasonality: number;
  readonly trend: string;
  /** Points at the end from which nothing is learnt. */
  readonly testPoints: number;
  /** Least score of a period that is found. */
  readonly threshold: number;
}

export interface Decomposition {
  readonly baseline: readonly number[];
  readonly seasonal: readonly number[];
  readonly trend: readonly number[];
  readonly residual: Points;
}

const AUTODETECT = -1;

/** Season first, then the trend of what is left, then what neither explains. */
export function decompose(points: Points, options: DecompositionOptions): Decomposition {
  const seasonal = seasonalOf(points, options);
  const rest = points.map((point, at) => (point === null ? null : point - (seasonal[at] ?? 0)));
  const trend = trendOf(rest, options);
  const baseline = seasonal.map((value, at) => value + (trend[at] ?? 0));
  const residual = points.map((point, at) => (point === null ? null : point - (baseline[at] ?? 0)));
  return { baseline, seasonal, trend, residual };
}

/** At each place in the period the median of all points there; zeros without a period. */
export function seasonalOf(
  points: Points,
  { seasonality, testPoints, threshold }: Omit<DecompositionOptions, "trend">,
): number[] {
  const learnt = learntFrom(points, testPoints);
  const period = seasonality === AUTODETECT ? detectedPeriod(learnt, threshold) : seasonality;
  if (period < 1) return points.map(() => 0);
  const medians = Array.from({ length: period }, (_, phase) => {
    const same = learnt.filter((point, at) => at % period === phase && point !== null);
    return quantileOf(sortedNumbers(numbersIn(same)), 0.5);
  });
  return points.map((_, at) => medians[at % period] ?? 0).map((it) => (Number.isNaN(it) ? 0 : it));
}

function detectedPeriod(learnt: Points, threshold: number): number {
  const values = filled(learnt);
  const [best] = detectPeriods(values, { min: 0, max: values.length });
  return best !== undefined && best.score >= threshold ? best.period : 0;
}

function trendOf(points: Points, { trend, testPoints }: DecompositionOptions): number[] {
  const learnt = learntFrom(points, testPoints);
  const known = numbersIn(learnt);
  if (trend === "none" || known.length === 0) return points.map(() => 0);
  if (trend === "avg") {
    const mean = meanOf(known);
    return points.map(() => mean);
  }
  if (trend !== "linefit") {
    throw new KqlError("semantic", `A trend is 'avg', 'linefit' or 'none', not '${trend}'.`);
  }
  const { slope, interception } = fitLine(filled(learnt));
  return points.map((_, at) => interception + slope * at);
}

function learntFrom(points: Points, testPoints: number): Points {
  return points.slice(0, Math.max(points.length - Math.max(testPoints, 0), 0));
}

/** Missing points are taken as the mean, so that places stay. */
function filled(points: Points): number[] {
  const known = numbersIn(points);
  const mean = known.length === 0 ? 0 : meanOf(known);
  return points.map((point) => point ?? mean);
}

function numbersIn(points: Points): number[] {
  return points.filter((point) => point !== null);
}
