import { KqlError } from "../../kql-error.ts";
import type { Json } from "../../types.ts";
import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { characterOffset, unitOffset } from "./characters.ts";
import { compileRegex, type Regex, type RegexMatch } from "./regex/regex.ts";

/** All that is no plain character in a pattern. */
const SPECIAL = /[\\.+*?()|[\]{}^$#&\-~]/g;
const UNLIMITED = -1n;
const REFERENCE = /\\(\d|\\)/g;

export const regexFunctions: readonly RuntimeFunction[] = [
  runtimeFunction("regex_quote", ["string"], "string", (text) =>
    text.replaceAll(SPECIAL, String.raw`\$&`),
  ),
  runtimeFunction("replace_regex", ["string", "string", "string"], "string", replaceRegex),
  runtimeFunction("replace", ["string", "string", "string"], "string", (regex, rewrite, source) =>
    replaceRegex(source, regex, rewrite),
  ),
  ...["extract_all", "extractall"].flatMap((name) => [
    runtimeFunction(name, ["string", "string"], "dynamic", (regex, source) =>
      extractAll(regex, null, source),
    ),
    runtimeFunction(name, ["string", "dynamic", "string"], "dynamic", extractAll),
  ]),
  runtimeFunction(
    "indexof_regex",
    ["string", "string", "long?", "long?", "long?"],
    "long",
    (text, regex, ...[start, length, occurrence]) =>
      indexOfRegex(text, regex, [start ?? 0n, length ?? UNLIMITED, occurrence ?? 1n]),
  ),
];

/** `\1` in the rewrite is the text of the first group, `\0` the whole match. */
function replaceRegex(source: string, pattern: string, rewrite: string): string {
  let result = "";
  let copied = 0;
  for (const { start, end, groups } of compileRegex(pattern).matches(source)) {
    const replacement = rewrite.replaceAll(REFERENCE, (_, digit: string) =>
      digit === "\\" ? digit : (groups[Number(digit)] ?? ""),
    );
    result += source.slice(copied, start) + replacement;
    copied = end;
  }
  return result + source.slice(copied);
}

/** Null without a match; flat for one group, else an array of groups for each match. */
function extractAll(pattern: string, wanted: Json, source: string): Json {
  const regex = compileRegex(pattern);
  if (regex.groups.length === 1) {
    const sentence = `extract_all() needs at least one group in its expression '${pattern}'.`;
    throw new KqlError("semantic", sentence);
  }
  const indexes = Array.isArray(wanted)
    ? wanted.map((group) => groupIndex(regex, group, pattern))
    : Array.from(regex.groups.keys()).slice(1);
  const found = Array.from(regex.matches(source), ({ groups }) => {
    const texts = indexes.map((index) => groups[index] ?? "");
    return texts.length === 1 ? (texts[0] ?? "") : texts;
  });
  return found.length === 0 ? null : found;
}

function groupIndex({ groups }: Regex, group: Json, pattern: string): number {
  const index = typeof group === "string" ? groups.indexOf(group) : Number(group);
  if (Number.isInteger(index) && index >= 0 && index < groups.length) return index;
  throw new KqlError(
    "semantic",
    `The expression '${pattern}' has no group ${typeof group === "string" ? group : index}.`,
  );
}

/** Null for arguments out of range, -1 when there is no such match within the characters given. */
function indexOfRegex(
  text: string,
  pattern: string,
  [start, length, occurrence]: readonly [bigint, bigint, bigint],
): bigint | null {
  if (start < 0n || length < UNLIMITED || occurrence < 0n) return null;
  const from = unitOffset(text, Number(start));
  const to = length === UNLIMITED ? text.length : unitOffset(text, Number(start) + Number(length));
  let remaining = occurrence;
  for (const found of matchesFrom(compileRegex(pattern), text.slice(0, to), from)) {
    remaining -= 1n;
    if (remaining <= 0n) return BigInt(characterOffset(text, found.start));
  }
  return -1n;
}

function* matchesFrom(regex: Regex, text: string, from: number): Generator<RegexMatch> {
  for (let at = from; at <= text.length;) {
    const found = regex.match(text, at);
    if (found === null) return;
    yield found;
    at = Math.max(found.end, found.start + 1);
  }
}
