import type { Sql } from "../sql.ts";
import { arg, real, type Emitter, type EmitterTable } from "./emitter.ts";
import { double } from "./operators.ts";

const DEGREES = "57.29577951308232";

export const math: EmitterTable = {
  abs: ([value], type) => (type === "real" ? `abs(${of(value)})` : `abs(${value?.text ?? ""})`),
  acos: domain("acos", "abs(@) <= 1"),
  asin: domain("asin", "abs(@) <= 1"),
  atan: real("atan"),
  atan2: real("atan2"),
  cos: real("cos"),
  sin: real("sin"),
  tan: real("tan"),
  cot: real("cot"),
  exp: real("exp"),
  exp2: ([value]) => `pow(2.0::DOUBLE, ${of(value)})`,
  exp10: ([value]) => `pow(10.0::DOUBLE, ${of(value)})`,
  log: logarithm("ln", "NULL"),
  log2: logarithm("log2", "'NaN'::DOUBLE"),
  log10: logarithm("log10", "'NaN'::DOUBLE"),
  sqrt: domain("sqrt", "@ >= 0"),
  pow: (args) => `pow(${double(arg(args, 0))}, ${double(arg(args, 1))})`,
  gamma: domain("gamma", "@ > 0"),
  pi: () => "pi()",
  degrees: ([value]) => `(${of(value)} * ${DEGREES})`,
  radians: ([value]) => `(${of(value)} / ${DEGREES})`,
  ceiling: ([value], type) =>
    type === "real" ? `ceil(${of(value)})` : `ceil(${value?.text ?? ""})`,
  round: (args) => round(args),
  sign: ([value]) => `CAST(sign(${value?.text ?? ""}) AS DOUBLE)`,
  isnan: ([value]) => `coalesce(isnan(${of(value)}), false)`,
  isinf: ([value]) => `coalesce(isinf(${of(value)}), false)`,
  isfinite: ([value]) => `coalesce(isfinite(${of(value)}), false)`,
  rand: (args) =>
    args.length === 0
      ? "random()"
      : `CAST(floor(random() * CAST(${arg(args, 0).text} AS DOUBLE)) AS BIGINT)`,
  max_of: (args) => `greatest(${args.map(({ text }) => text).join(", ")})`,
  min_of: (args) => `least(${args.map(({ text }) => text).join(", ")})`,
};

function of(value: Sql | undefined): string {
  if (value === undefined) throw new Error("An argument is missing");
  return `(${double(value)})`;
}

/** Outside its domain a function gives NaN, where DuckDB raises. */
function domain(name: string, test: string): Emitter {
  return ([value]) => {
    const text = of(value);
    const holds = test.replaceAll("@", () => text);
    return (
      `CASE WHEN ${text} IS NULL THEN NULL WHEN ${holds} THEN ${name}(${text}) ` +
      `ELSE 'NaN'::DOUBLE END`
    );
  };
}

// Of nothing it is minus infinity; what it is below that differs by function.
function logarithm(name: string, below: string): Emitter {
  return ([value]) => {
    const text = of(value);
    return (
      `CASE WHEN ${text} > 0 THEN ${name}(${text}) WHEN ${text} = 0 THEN '-Infinity'::DOUBLE ` +
      `WHEN ${text} < 0 THEN ${below} END`
    );
  };
}

function round(args: readonly Sql[]): string {
  const value = double(arg(args, 0));
  const precision = args[1];
  if (precision === undefined) return `round(${value})`;
  return `round(${value}, CAST(${precision.text} AS INTEGER))`;
}
