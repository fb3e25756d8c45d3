import type { Json } from "../../types.ts";
import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { numbersOf } from "./series.ts";

/** Both give an array of the real and the imaginary series. */
export const fourierFunctions: readonly RuntimeFunction[] = [
  runtimeFunction("series_fft", ["dynamic", "dynamic?"], "dynamic", (real, imaginary) =>
    transform(real, imaginary, -1),
  ),
  runtimeFunction("series_ifft", ["dynamic", "dynamic?"], "dynamic", (real, imaginary) =>
    transform(real, imaginary, 1),
  ),
];

interface Complex {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

function transform(real: Json, imaginary: Json, sign: 1 | -1): Json {
  const re = numbersOf(real);
  const im = imaginary === null ? re?.map(() => 0) : numbersOf(imaginary);
  if (re === null || im === null || im === undefined || re.length !== im.length) return null;
  const input = { re: Float64Array.from(re), im: Float64Array.from(im) };
  const output = re.length === 0 ? input : fourier(input, sign);
  const scale = sign === 1 ? re.length : 1;
  return [output.re, output.im].map((part) => Array.from(part, (value) => value / scale));
}

/** The discrete Fourier transform of any length, not scaled. */
function fourier(input: Complex, sign: 1 | -1): Complex {
  const length = input.re.length;
  return (length & (length - 1)) === 0 ? radixTwo(input, sign) : bluestein(input, sign);
}

/** For lengths that are powers of two: the points in bit-reversed order, then halves in pairs. */
function radixTwo(input: Complex, sign: 1 | -1): Complex {
  const length = input.re.length;
  const bits = Math.log2(length);
  const re = new Float64Array(length);
  const im = new Float64Array(length);
  for (let at = 0; at < length; at += 1) {
    const from = reversedBits(at, bits);
    re[at] = input.re[from] ?? 0;
    im[at] = input.im[from] ?? 0;
  }
  for (let half = 1; half < length; half *= 2) {
    for (let turn = 0; turn < half; turn += 1) {
      const angle = (sign * Math.PI * turn) / half;
      joinPairs({ re, im }, { half, turn, cosine: Math.cos(angle), sine: Math.sin(angle) });
    }
  }
  return { re, im };
}

interface Turn {
  readonly half: number;
  readonly turn: number;
  readonly cosine: number;
  readonly sine: number;
}

function joinPairs({ re, im }: Complex, { half, turn, cosine, sine }: Turn): void {
  for (let low = turn; low < re.length; low += 2 * half) {
    const high = low + half;
    const [highRe, highIm] = [re[high] ?? 0, im[high] ?? 0];
    const turnedRe = cosine * highRe - sine * highIm;
    const turnedIm = cosine * highIm + sine * highRe;
    const [lowRe, lowIm] = [re[low] ?? 0, im[low] ?? 0];
    re[low] = lowRe + turnedRe;
    im[low] = lowIm + turnedIm;
    re[high] = lowRe - turnedRe;
    im[high] = lowIm - turnedIm;
  }
}

function reversedBits(value: number, bits: number): number {
  let [rest, reversed] = [value, 0];
  for (let bit = 0; bit < bits; bit += 1) {
    reversed = reversed * 2 + (rest & 1);
    rest >>= 1;
  }
  return reversed;
}

/** Any other length, as a convolution of a power of two. */
function bluestein(input: Complex, sign: 1 | -1): Complex {
  const length = input.re.length;
  const size = 2 ** Math.ceil(Math.log2(length * 2));
  const chirp = (at: number) => (sign * Math.PI * ((at * at) % (2 * length))) / length;
  const turns = {
    re: Float64Array.from({ length }, (_, at) => Math.cos(chirp(at))),
    im: Float64Array.from({ length }, (_, at) => Math.sin(chirp(at))),
  };
  const kernel = { re: new Float64Array(size), im: new Float64Array(size) };
  for (let at = 0; at < length; at += 1) {
    for (const place of at === 0 ? [0] : [at, size - at]) {
      kernel.re[place] = turns.re[at] ?? 0;
      kernel.im[place] = -(turns.im[at] ?? 0);
    }
  }
  const padded = pad(multiply(input, turns), size);
  const product = multiply(radixTwo(padded, -1), radixTwo(kernel, -1));
  const convolved = radixTwo(product, 1);
  const turned = multiply(convolved, turns);
  return {
    re: turned.re.slice(0, length).map((value) => value / size),
    im: turned.im.slice(0, length).map((value) => value / size),
  };
}

function multiply(one: Complex, other: Complex): Complex {
  const length = Math.min(one.re.length, other.re.length);
  const part = (of: (a: number, b: number, c: number, d: number) => number) =>
    Float64Array.from({ length }, (_, at) =>
      of(one.re[at] ?? 0, one.im[at] ?? 0, other.re[at] ?? 0, other.im[at] ?? 0),
    );
  return { re: part((a, b, c, d) => a * c - b * d), im: part((a, b, c, d) => a * d + b * c) };
}

function pad({ re, im }: Complex, size: number): Complex {
  const padded = { re: new Float64Array(size), im: new Float64Array(size) };
  padded.re.set(re);
  padded.im.set(im);
  return padded;
}
