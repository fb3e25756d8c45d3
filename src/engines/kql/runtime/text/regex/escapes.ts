import type { Scanner } from "./scanner.ts";

const DIGIT = "\\p{Nd}";
const SPACE = "\\p{White_Space}";
export const WORD = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";

const CLASSES: Readonly<Record<string, string>> = {
  d: `[${DIGIT}]`,
  D: `[^${DIGIT}]`,
  s: `[${SPACE}]`,
  S: `[^${SPACE}]`,
  w: `[${WORD}]`,
  W: `[^${WORD}]`,
};
const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };
const BRACED = /\{([0-9a-f]+)\}/iy;
const DIGITS: Readonly<Record<string, RegExp>> = {
  x: /[0-9a-f]{2}/iy,
  u: /[0-9a-f]{4}/iy,
  U: /[0-9a-f]{8}/iy,
};
const OCTAL = /[0-7]{1,3}/y;
const PROPERTY = /\{(\^?)([\w\s=:!-]+)\}|(\w)/y;
const CODE_POINT_MAX = 0x10_ffff;

/** A character, written so that it stands for itself inside and outside of classes. */
export function literal(codePoint: number): string {
  return `\\u{${codePoint.toString(16)}}`;
}

/** What follows a backslash, if it is one character or a class of characters. */
export function readEscape(scanner: Scanner): string {
  const octal = scanner.takeMatch(OCTAL);
  if (octal !== null) return literal(Number.parseInt(octal[0], 8));

  const letter = scanner.take();
  const known = CLASSES[letter];
  if (known !== undefined) return known;
  const control = CONTROLS[letter];
  if (control !== undefined) return literal(control);
  if (letter === "p" || letter === "P") return readProperty(scanner, letter === "P");
  if (letter in DIGITS) return readCodePoint(scanner, letter);
  if (/[0-9a-z<>]/i.test(letter)) throw scanner.refuse(`'\\${letter}' is not known`);
  return literal(letter.codePointAt(0) ?? 0);
}

function readCodePoint(scanner: Scanner, letter: string): string {
  const braced = scanner.takeMatch(BRACED);
  const fixed = braced === null ? scanner.takeMatch(DIGITS[letter] ?? BRACED) : null;
  const digits = braced?.[1] ?? fixed?.[0];
  const codePoint = digits === undefined ? Number.NaN : Number.parseInt(digits, 16);
  if (codePoint <= CODE_POINT_MAX) return literal(codePoint);
  throw scanner.refuse(`'\\${letter}' needs the hexadecimal digits of a character`);
}

function readProperty(scanner: Scanner, isNegated: boolean): string {
  const match = scanner.takeMatch(PROPERTY);
  if (match === null) throw scanner.refuse("'\\p' needs the name of a class");
  const [, caret = "", braced, short] = match;
  const name = (braced ?? short ?? "").replaceAll(/\s/g, "");
  const sign = isNegated === (caret === "") ? "P" : "p";

  const written = capitalize(name.replace(":", "="));
  const forms = [written, `Script=${written}`, `General_Category=${written}`, name];
  const form = forms.find(isProperty);
  if (form === undefined) throw scanner.refuse(`the class '${name}' is not known`);
  return `\\${sign}{${form}}`;
}

function capitalize(name: string): string {
  return name.replaceAll(/(^|[_=])([a-z])/g, (_, before: string, first: string) => {
    return before + first.toUpperCase();
  });
}

function isProperty(form: string): boolean {
  try {
    return new RegExp(`\\p{${form}}`, "v").source !== "";
  } catch {
    return false;
  }
}
