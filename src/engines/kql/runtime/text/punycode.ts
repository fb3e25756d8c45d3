// The parameters of RFC 3492, section 5.
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_CODE_POINT = 128;
const CODE_POINT_MAX = 0x10_ffff;
const DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Encodes with the algorithm of RFC 3492, without a prefix. */
export function encodePunycode(text: string): string {
  const codePoints = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const basic = codePoints.filter((codePoint) => codePoint < INITIAL_CODE_POINT);
  let output = String.fromCodePoint(...basic) + (basic.length > 0 ? "-" : "");

  let [codePoint, delta, bias, handled] = [INITIAL_CODE_POINT, 0, INITIAL_BIAS, basic.length];
  while (handled < codePoints.length) {
    const floor = codePoint;
    const next = Math.min(...codePoints.filter((it) => it >= floor));
    delta += (next - codePoint) * (handled + 1);
    codePoint = next;
    for (const current of codePoints) {
      if (current < codePoint) delta += 1;
      if (current !== codePoint) continue;
      output += writeNumber(delta, bias);
      bias = adapt(delta, handled + 1, handled === basic.length);
      delta = 0;
      handled += 1;
    }
    delta += 1;
    codePoint += 1;
  }
  return output;
}

/** Decodes what `encodePunycode` made; null when the text is nothing of the kind. */
export function decodePunycode(encoded: string): string | null {
  const dash = encoded.lastIndexOf("-");
  const output = Array.from(encoded.slice(0, Math.max(dash, 0)), (it) => it.codePointAt(0) ?? 0);
  if (output.some((codePoint) => codePoint >= INITIAL_CODE_POINT)) return null;

  let [codePoint, index, bias] = [INITIAL_CODE_POINT, 0, INITIAL_BIAS];
  for (let at = dash + 1; at < encoded.length;) {
    const number = readNumber(encoded, at, bias);
    if (number === null) return null;
    const length = output.length + 1;
    const total = index + number.value;
    bias = adapt(number.value, length, index === 0);
    codePoint += Math.floor(total / length);
    index = total % length;
    if (codePoint > CODE_POINT_MAX) return null;
    output.splice(index, 0, codePoint);
    index += 1;
    at = number.end;
  }
  return output.map((it) => String.fromCodePoint(it)).join("");
}

function writeNumber(value: number, bias: number): string {
  let [rest, digits] = [value, ""];
  for (let place = BASE; ; place += BASE) {
    const threshold = thresholdOf(place, bias);
    if (rest < threshold) return digits + (DIGITS[rest] ?? "");
    digits += DIGITS[threshold + ((rest - threshold) % (BASE - threshold))] ?? "";
    rest = Math.floor((rest - threshold) / (BASE - threshold));
  }
}

function readNumber(
  text: string,
  start: number,
  bias: number,
): { value: number; end: number } | null {
  let [value, weight] = [0, 1];
  for (let at = start; at < text.length; at += 1) {
    const digit = DIGITS.indexOf(text[at]?.toLowerCase() ?? "");
    const threshold = thresholdOf(BASE * (at - start + 1), bias);
    value += digit * weight;
    if (digit < 0 || value > Number.MAX_SAFE_INTEGER) return null;
    if (digit < threshold) return { value, end: at + 1 };
    weight *= BASE - threshold;
  }
  return null;
}

function thresholdOf(place: number, bias: number): number {
  return Math.min(Math.max(place - bias, T_MIN), T_MAX);
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / length);
  let places = 0;
  while (rest > ((BASE - T_MIN) * T_MAX) / 2) {
    rest = Math.floor(rest / (BASE - T_MIN));
    places += BASE;
  }
  return places + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}
