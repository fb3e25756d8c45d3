import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { betaBelow, betaDensity, betaInverse } from "./beta.ts";
import { gamma, logGamma, lowerGamma, upperGamma } from "./gamma.ts";
import { weightedPercentiles } from "./percentiles.ts";

/** Distributions and tests; `percentilesw_of` takes values, weights and percentages as arrays. */
export const statisticsFunctions: readonly RuntimeFunction[] = [
  runtimeFunction("beta_cdf", ["real", "real", "real"], "real", betaBelow),
  runtimeFunction("beta_inv", ["real", "real", "real"], "real", betaInverse),
  runtimeFunction("beta_pdf", ["real", "real", "real"], "real", betaDensity),
  runtimeFunction("gamma", ["real"], "real", gamma),
  runtimeFunction("loggamma", ["real"], "real", logGamma),
  runtimeFunction("erf", ["real"], "real", errorFunction),
  runtimeFunction("erfc", ["real"], "real", (x) =>
    x < 0 ? 1 + errorFunction(-x) : upperGamma(0.5, x * x),
  ),
  runtimeFunction(
    "welch_test",
    ["real", "real", "real", "real", "real", "real"],
    "real",
    (...[mean, variance, count, otherMean, otherVariance, otherCount]) =>
      welchTest(
        { mean, error: variance / count, freedom: count - 1 },
        { mean: otherMean, error: otherVariance / otherCount, freedom: otherCount - 1 },
      ),
  ),
  runtimeFunction(
    "percentilesw_of",
    ["dynamic", "dynamic", "dynamic"],
    "dynamic",
    weightedPercentiles,
  ),
];

function errorFunction(x: number): number {
  return Math.sign(x) * lowerGamma(0.5, x * x);
}

interface Sample {
  readonly mean: number;
  /** Variance of the mean. */
  readonly error: number;
  readonly freedom: number;
}

/** The probability of means that differ so much when both samples are of one mean; two-sided. */
function welchTest(one: Sample, other: Sample): number {
  const error = one.error + other.error;
  const t = (one.mean - other.mean) / Math.sqrt(error);
  const freedom = error ** 2 / (one.error ** 2 / one.freedom + other.error ** 2 / other.freedom);
  return betaBelow(freedom / (freedom + t * t), freedom / 2, 0.5);
}
