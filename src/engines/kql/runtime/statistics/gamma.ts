/** Coefficients of Lanczos' approximation with g = 7, exact to about fifteen digits. */
const LANCZOS_G = 7;
const LANCZOS = [
  0.999_999_999_999_809_9, 676.520_368_121_885_1, -1259.139_216_722_402_8, 771.323_428_777_653_1,
  -176.615_029_162_140_6, 12.507_343_278_686_905, -0.138_571_095_265_720_12,
  9.984_369_578_019_572e-6, 1.505_632_735_149_311_6e-7,
] as const;
/** Above this the factorial is no number any more. */
const FACTORIAL_MAX = 170;
const ITERATIONS_MAX = 500;
const SMALLEST = 1e-300;

/** The gamma function; NaN at zero and the negative whole numbers. */
export function gamma(x: number): number {
  if (Number.isInteger(x)) return wholeGamma(x);
  if (x < 0.5) return Math.PI / (Math.sin(Math.PI * x) * gamma(1 - x));
  return x > FACTORIAL_MAX + 2 ? Number.POSITIVE_INFINITY : Math.exp(logGamma(x));
}

function wholeGamma(x: number): number {
  if (x <= 0) return Number.NaN;
  if (x > FACTORIAL_MAX + 1) return Number.POSITIVE_INFINITY;
  let product = 1;
  for (let factor = 2; factor < x; factor += 1) product *= factor;
  return product;
}

/** The natural logarithm of the absolute value of the gamma function. */
export function logGamma(x: number): number {
  if (x <= 0 && Number.isInteger(x)) return Number.POSITIVE_INFINITY;
  if (x < 0.5) {
    return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - logGamma(1 - x);
  }
  const [first, ...others] = LANCZOS;
  const shifted = x - 1;
  const series = others.reduce<number>((sum, term, at) => sum + term / (shifted + at + 1), first);
  const base = shifted + LANCZOS_G + 0.5;
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(series);
}

/** The part of the gamma distribution of shape `a` that lies below `x`. */
export function lowerGamma(a: number, x: number): number {
  if (x <= 0) return 0;
  return x < a + 1 ? gammaSeries(a, x) : 1 - gammaFraction(a, x);
}

/** The part that lies above, without loss of digits where it is small. */
export function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1;
  return x < a + 1 ? 1 - gammaSeries(a, x) : gammaFraction(a, x);
}

function gammaSeries(a: number, x: number): number {
  let [term, sum] = [1 / a, 1 / a];
  for (let step = 1; step < ITERATIONS_MAX; step += 1) {
    term *= x / (a + step);
    sum += term;
    if (Math.abs(term) < Math.abs(sum) * Number.EPSILON) break;
  }
  return sum * Math.exp(-x + a * Math.log(x) - logGamma(a));
}

/** The continued fraction, by Lentz's method. */
function gammaFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1 / SMALLEST;
  let d = 1 / b;
  let fraction = d;
  for (let step = 1; step < ITERATIONS_MAX; step += 1) {
    const weight = -step * (step - a);
    b += 2;
    d = 1 / nonZero(weight * d + b);
    c = nonZero(b + weight / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < Number.EPSILON) break;
  }
  return fraction * Math.exp(-x + a * Math.log(x) - logGamma(a));
}

function nonZero(value: number): number {
  return Math.abs(value) < SMALLEST ? SMALLEST : value;
}
