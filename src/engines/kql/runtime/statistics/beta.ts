import { logGamma } from "./gamma.ts";

/** Larger parameters have no answer. */
const PARAMETER_MAX = 10_000;
const ITERATIONS_MAX = 1000;
const SMALLEST = 1e-300;
/** Halvings after which an interval of doubles has no inside. */
const HALVINGS_MAX = 1100;

/** The density of the beta distribution; NaN outside of 0 to 1 or for parameters not above 0. */
export function betaDensity(x: number, alpha: number, beta: number): number {
  if (!isValid(alpha, beta) || !(x >= 0 && x <= 1)) return Number.NaN;
  if (x === 0 || x === 1) return edgeDensity(x === 0 ? alpha : beta, x === 0 ? beta : alpha);
  return Math.exp((alpha - 1) * Math.log(x) + (beta - 1) * Math.log1p(-x) - logBeta(alpha, beta));
}

/** The part of the beta distribution below `x`. */
export function betaBelow(x: number, alpha: number, beta: number): number {
  if (!isValid(alpha, beta) || !(x >= 0 && x <= 1)) return Number.NaN;
  if (x === 0 || x === 1) return x;
  const scale = Math.exp(alpha * Math.log(x) + beta * Math.log1p(-x) - logBeta(alpha, beta));
  // The fraction converges fast only on this side of the mean; the other side is the mirror image.
  return x < (alpha + 1) / (alpha + beta + 2)
    ? (scale * betaFraction(x, alpha, beta)) / alpha
    : 1 - (scale * betaFraction(1 - x, beta, alpha)) / beta;
}

/** The value below which the part `p` of the distribution lies: null when `p` is no probability. */
export function betaInverse(p: number, alpha: number, beta: number): number | null {
  if (!isValid(alpha, beta) || Number.isNaN(p)) return Number.NaN;
  if (p < 0 || p > 1) return null;
  let [low, high] = [0, 1];
  for (let halving = 0; halving < HALVINGS_MAX; halving += 1) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (betaBelow(middle, alpha, beta) < p) low = middle;
    else high = middle;
  }
  return p === 0 ? 0 : high;
}

function isValid(alpha: number, beta: number): boolean {
  return alpha > 0 && beta > 0 && alpha <= PARAMETER_MAX && beta <= PARAMETER_MAX;
}

function edgeDensity(near: number, far: number): number {
  if (near < 1) return Number.POSITIVE_INFINITY;
  return near > 1 ? 0 : far;
}

function logBeta(alpha: number, beta: number): number {
  return logGamma(alpha) + logGamma(beta) - logGamma(alpha + beta);
}

/** The continued fraction of the incomplete beta function, by Lentz's method. */
function betaFraction(x: number, alpha: number, beta: number): number {
  let c = 1;
  let d = 1 / nonZero(1 - ((alpha + beta) * x) / (alpha + 1));
  let fraction = d;
  for (let step = 1; step < ITERATIONS_MAX; step += 1) {
    const even = (step * (beta - step) * x) / ((alpha + 2 * step - 1) * (alpha + 2 * step));
    const odd =
      (-(alpha + step) * (alpha + beta + step) * x) / ((alpha + 2 * step) * (alpha + 2 * step + 1));
    let change = 1;
    for (const weight of [even, odd]) {
      d = 1 / nonZero(1 + weight * d);
      c = nonZero(1 + weight / c);
      change = d * c;
      fraction *= change;
    }
    if (Math.abs(change - 1) < Number.EPSILON) break;
  }
  return fraction;
}

function nonZero(value: number): number {
  return Math.abs(value) < SMALLEST ? SMALLEST : value;
}
