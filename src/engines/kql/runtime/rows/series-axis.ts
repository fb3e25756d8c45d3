import { KqlError } from "../../kql-error.ts";
import { formatDatetimeTicks, formatTimespanTicks } from "../time/format-time.ts";
import type { Json, KqlType, KqlValue } from "../../types.ts";

/** Elements that one series may have. */
const LENGTH_MAX = 1_048_576;

/** The places of a series: as many as `length`, counted from 0. */
export interface Axis {
  readonly length: number;
  readonly indexOf: (bin: KqlValue) => number;
  /** The axis itself, as elements of a dynamic array. */
  readonly labels: readonly Json[];
}

export interface AxisOptions {
  readonly type: KqlType;
  readonly first: KqlValue;
  /** Where the series ends; itself a place only with `isInclusive`. */
  readonly end: KqlValue;
  readonly step: KqlValue;
  readonly isInclusive: boolean;
}

/** Lays out the places of a series; `real` counts in numbers, all other types in whole ones. */
export function axisOf(options: AxisOptions): Axis {
  return typeof options.step === "bigint" ? wholeAxis(options) : realAxis(options);
}

function wholeAxis({ type, first, end, step, isInclusive }: AxisOptions): Axis {
  const [from, to, by] = [asBigInt(first), asBigInt(end), asBigInt(step)];
  if (by <= 0n) throw stepError();
  const reach = to - from + (isInclusive ? by : by - 1n);
  const length = checked(reach < 0n ? 0 : Number(reach / by));
  return {
    length,
    indexOf: (bin) => Number((asBigInt(bin) - from) / by),
    labels: Array.from({ length }, (_one, index) => label(from + BigInt(index) * by, type)),
  };
}

/** Against rounding: an end that is a whole number of steps away is exactly that. */
const STEP_TOLERANCE = 1e-9;

function realAxis({ first, end, step, isInclusive }: AxisOptions): Axis {
  const [from, to, by] = [Number(first), Number(end), Number(step)];
  if (!(by > 0)) throw stepError();
  const steps = (to - from) / by;
  const count = isInclusive
    ? Math.floor(steps + STEP_TOLERANCE) + 1
    : Math.ceil(steps - STEP_TOLERANCE);
  const length = checked(Math.max(0, count));
  return {
    length,
    indexOf: (bin) => Math.round((Number(bin) - from) / by),
    labels: Array.from({ length }, (_one, index) => from + index * by),
  };
}

function asBigInt(value: KqlValue): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return BigInt(Math.trunc(value));
  throw new KqlError("runtime", "make-series: the axis has no start, end or step.");
}

function stepError(): KqlError {
  return new KqlError("runtime", "make-series: the step has to be greater than 0.");
}

function checked(length: number): number {
  if (length <= LENGTH_MAX) return length;
  const most = String(LENGTH_MAX);
  throw new KqlError("limit", `make-series: a series has at most ${most} elements.`);
}

function label(value: bigint, type: KqlType): Json {
  if (type === "datetime") return formatDatetimeTicks(value);
  if (type === "timespan") return formatTimespanTicks(value);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
