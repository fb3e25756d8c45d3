import { KqlError } from "../../kql-error.ts";
import type { Json } from "../../types.ts";
import { isArray, textOfJson } from "../dynamic/json.ts";
import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { variadicFunction } from "../variadic-function.ts";
import { charactersOf } from "./characters.ts";
import { splitCommandLine } from "./command-line.ts";
import { formatBytes } from "./format-bytes.ts";
import { compileRegex } from "./regex/regex.ts";
import { indexOf } from "./index-of.ts";
import { hasTerm } from "./terms.ts";

const REPEAT_MAX = 1024n;
const CODE_POINT_MAX = 0x10_ffff;

export const plainTextFunctions: readonly RuntimeFunction[] = [
  runtimeFunction("countof", ["string", "string", "string?"], "long", countOf),
  runtimeFunction("indexof", ["string", "string", "long?", "long?", "long?"], "long", indexOf),
  runtimeFunction("has_any_index", ["string", "dynamic"], "long", hasAnyIndex),
  runtimeFunction("reverse", ["string"], "string", (text) =>
    charactersOf(text).toReversed().join(""),
  ),
  runtimeFunction("strrep", ["string", "long", "string?"], "string", (text, times, delimiter) =>
    repeat(text, times, delimiter ?? ""),
  ),
  variadicFunction(
    { name: "strcat_delim", first: ["string"], rest: "string", returns: "string" },
    (delimiter, texts) => texts.map((text) => text ?? "").join(delimiter),
  ),
  runtimeFunction("replace_strings", ["string", "dynamic", "dynamic"], "string", replaceStrings),
  runtimeFunction("translate", ["string", "string", "string"], "string", translate),
  ...["unicode_codepoints_from_string", "to_utf8"].map((name) =>
    runtimeFunction(name, ["string"], "dynamic", (text) =>
      charactersOf(text).map((character) => character.codePointAt(0) ?? 0),
    ),
  ),
  ...["unicode_codepoints_to_string", "make_string"].map((name) =>
    variadicFunction({ name, first: [], rest: "dynamic", returns: "string" }, (values) =>
      textOf(values),
    ),
  ),
  runtimeFunction("parse_command_line", ["string", "string"], "dynamic", (text, parser) =>
    parser.toLowerCase() === "windows" ? splitCommandLine(text) : null,
  ),
  runtimeFunction("format_bytes", ["real", "long?", "string?"], "string", formatBytes),
];

/** Plain matches may overlap, those of a regular expression do not. */
function countOf(text: string, search: string, kind: string | null): bigint {
  const how = (kind ?? "normal").toLowerCase();
  if (how === "regex") return BigInt(Array.from(compileRegex(search).matches(text)).length);
  if (how !== "normal") {
    const sentence = `countof() counts 'normal' or 'regex', not '${how}'.`;
    throw new KqlError("semantic", sentence);
  }
  let count = 0n;
  if (search === "") return count;
  for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, at + 1)) count += 1n;
  return count;
}

function hasAnyIndex(text: string, values: Json): bigint | null {
  if (!isArray(values)) return null;
  return BigInt(values.findIndex((value) => value !== null && hasTerm(text, textOfJson(value))));
}

function repeat(text: string, times: bigint, delimiter: string): string {
  const count = Number(times > REPEAT_MAX ? REPEAT_MAX : times);
  return count < 1 ? "" : `${text}${delimiter}`.repeat(count - 1) + text;
}

/** One lookup after the other, each in what no lookup before it has replaced. */
function replaceStrings(text: string, lookups: Json, rewrites: Json): string {
  const [wanted, replacements] = [textsOf(lookups), textsOf(rewrites)];
  if (wanted.length !== replacements.length) {
    const counts = `${wanted.length} and ${replacements.length}`;
    throw new KqlError(
      "semantic",
      `replace_strings() needs as many rewrites as lookups: ${counts}.`,
    );
  }
  let pieces: readonly { readonly text: string; readonly isDone: boolean }[] = [
    { text, isDone: false },
  ];
  for (const [at, lookup] of wanted.entries()) {
    if (lookup === "") continue;
    const made = { text: replacements[at] ?? "", isDone: true };
    pieces = pieces.flatMap((piece) => {
      if (piece.isDone) return [piece];
      const rest = piece.text.split(lookup).map((one) => ({ text: one, isDone: false }));
      return rest.flatMap((one, index) => (index === 0 ? [one] : [made, one]));
    });
  }
  return pieces.map((piece) => piece.text).join("");
}

function textsOf(list: Json): string[] {
  return isArray(list) ? list.map(textOfJson) : [];
}

/** The last character of a shorter replacement list stands for all that have no partner. */
function translate(search: string, replacement: string, text: string): string {
  const replacements = charactersOf(replacement);
  const partners = new Map<string, string>();
  for (const [at, character] of charactersOf(search).entries()) {
    const partner = replacements[at] ?? replacements.at(-1) ?? "";
    if (!partners.has(character)) partners.set(character, partner);
  }
  return charactersOf(text)
    .map((character) => partners.get(character) ?? character)
    .join("");
}

/** The characters of code points, given singly or in arrays; what is no code point is left out. */
function textOf(values: readonly Json[]): string {
  const codePoints = values.flatMap((value) => (Array.isArray(value) ? value : [value]));
  return codePoints
    .filter((value) => typeof value === "number" || typeof value === "bigint")
    .map(Number)
    .filter((value) => Number.isInteger(value) && value >= 0 && value <= CODE_POINT_MAX)
    .map((value) => String.fromCodePoint(value))
    .join("");
}
