import { sumOf } from "./series.ts";

/**
 * The polynomial with the least squares, coefficients from the highest power to the constant.
 * Built of polynomials that are orthogonal on the points, which stays exact where the usual
 * equations of powers do not.
 */
export function fitPolynomial(xs: readonly number[], ys: readonly number[], degree: number) {
  const basis: Polynomial[] = [{ coefficients: [1], values: xs.map(() => 1) }];
  while (basis.length <= degree) {
    const next = nextOf(basis, xs);
    // Fewer distinct points than powers: the rest of the coefficients are zero.
    if (next === null) break;
    basis.push(next);
  }

  const coefficients = Array.from({ length: degree + 1 }, () => 0);
  const fitted = xs.map(() => 0);
  for (const { coefficients: terms, values } of basis) {
    const weight = dot(ys, values) / dot(values, values);
    for (const [power, term] of terms.entries())
      coefficients[power] = (coefficients[power] ?? 0) + weight * term;
    for (const [at, value] of values.entries()) fitted[at] = (fitted[at] ?? 0) + weight * value;
  }
  return { coefficients: coefficients.toReversed(), fitted };
}

interface Polynomial {
  /** From the constant upwards. */
  readonly coefficients: readonly number[];
  /** At the points. */
  readonly values: readonly number[];
}

/** The recurrence of three terms: `(x - a) p - b q`. */
function nextOf(basis: readonly Polynomial[], xs: readonly number[]): Polynomial | null {
  const [last, before] = [basis.at(-1), basis.at(-2)];
  if (last === undefined) return null;
  const size = dot(last.values, last.values);
  const shift =
    dot(
      last.values.map((value, at) => value * (xs[at] ?? 0)),
      last.values,
    ) / size;
  const weight = before === undefined ? 0 : size / dot(before.values, before.values);

  const values = last.values.map((value, at) => {
    return ((xs[at] ?? 0) - shift) * value - weight * (before?.values[at] ?? 0);
  });
  if (dot(values, values) <= Number.EPSILON ** 2 * size) return null;
  const coefficients = Array.from({ length: last.coefficients.length + 1 }, (_, power) => {
    const raised = last.coefficients[power - 1] ?? 0;
    const shifted = shift * (last.coefficients[power] ?? 0);
    return raised - shifted - weight * (before?.coefficients[power] ?? 0);
  });
  return { coefficients, values };
}

function dot(one: readonly number[], other: readonly number[]): number {
  return sumOf(one.map((value, at) => value * (other[at] ?? 0)));
}
