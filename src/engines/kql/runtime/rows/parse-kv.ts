import { compileRegex } from "../text/regex/regex.ts";

/** How a text holds its pairs. Without delimiters, anything but letters and digits is one. */
export interface PairFormat {
  readonly keys: readonly string[];
  readonly pairDelimiter?: string | undefined;
  readonly keyDelimiter?: string | undefined;
  /** What quoted keys and values begin and end with. */
  readonly quotes: readonly (readonly [string, string])[];
  readonly escape?: string | undefined;
  /** Values go on until the next key, over delimiters. */
  readonly isGreedy: boolean;
  /** Two groups, key and value; then nothing else counts. */
  readonly regex?: string | undefined;
}

/** The values of the wanted keys; of several values of one key, the first. */
export function parsePairs(text: string, format: PairFormat): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of pairsOf(text, format)) {
    if (!found.has(key) && format.keys.includes(key)) found.set(key, value);
  }
  return found;
}

type Pair = readonly [key: string, value: string];

function pairsOf(text: string, format: PairFormat): Iterable<Pair> {
  if (format.regex !== undefined) return matchedPairs(text, format.regex);
  const { pairDelimiter, keyDelimiter } = format;
  if (pairDelimiter === undefined || keyDelimiter === undefined) return loosePairs(text, format);
  return delimitedPairs(text, { ...format, pairDelimiter, keyDelimiter });
}

function* matchedPairs(text: string, regex: string): Generator<Pair> {
  for (const { groups } of compileRegex(regex).matches(text)) {
    yield [groups[1] ?? "", groups[2] ?? ""];
  }
}

interface Delimited extends PairFormat {
  readonly pairDelimiter: string;
  readonly keyDelimiter: string;
}

function* delimitedPairs(text: string, format: Delimited): Generator<Pair> {
  const { pairDelimiter, keyDelimiter } = format;
  for (let at = 0; at < text.length;) {
    const start = skipped(text, at, pairDelimiter);
    const key =
      quotedAt(text, start, format) ?? plainUntil(text, start, [keyDelimiter, pairDelimiter]);
    const delimiter = spacesFrom(text, key.end);
    if (!text.startsWith(keyDelimiter, delimiter)) {
      at = Math.max(key.end, start + 1);
      continue;
    }
    const value = valueAt(text, spacesFrom(text, delimiter + keyDelimiter.length), format);
    yield [key.text, value.text];
    at = value.end;
  }
}

interface Token {
  readonly text: string;
  readonly end: number;
}

function valueAt(text: string, start: number, format: Delimited): Token {
  const quoted = quotedAt(text, start, format);
  if (quoted !== undefined) return quoted;
  const { pairDelimiter, keyDelimiter, isGreedy } = format;
  // Spaces have been skipped; where a space ends a pair, the value may be what stood before.
  if (!isGreedy) return plainUntil(text, start, [pairDelimiter]);
  const nextKey = text.indexOf(keyDelimiter, start);
  const end = nextKey === -1 ? text.length : text.lastIndexOf(pairDelimiter, nextKey);
  const stop = end < start ? text.length : end;
  return { text: text.slice(start, stop).trim(), end: stop };
}

function plainUntil(text: string, start: number, delimiters: readonly string[]): Token {
  const places = delimiters.map((one) => text.indexOf(one, start)).filter((at) => at !== -1);
  const end = Math.min(text.length, ...places);
  return { text: text.slice(start, end).trim(), end };
}

/** A text in quotes, with what is escaped in it. */
function quotedAt(text: string, start: number, format: PairFormat): Token | undefined {
  const quote = format.quotes.find(([open]) => text.startsWith(open, start));
  if (quote === undefined) return undefined;
  const [open, close] = quote;
  let value = "";
  for (let at = start + open.length; at < text.length; at++) {
    if (format.escape !== undefined && text.startsWith(format.escape, at)) {
      at += format.escape.length;
    } else if (text.startsWith(close, at)) {
      return { text: value, end: at + close.length };
    }
    value += text[at] ?? "";
  }
  return undefined;
}

function skipped(text: string, start: number, delimiter: string): number {
  const at = spacesFrom(text, start);
  if (delimiter === "" || !text.startsWith(delimiter, at)) return at;
  return skipped(text, at + delimiter.length, delimiter);
}

function spacesFrom(text: string, start: number): number {
  let at = start;
  while (at < text.length && /\s/.test(text[at] ?? "")) at++;
  return at;
}

/** Without delimiters: a wanted key as a whole word, then the word or the quoted text behind it. */
function* loosePairs(text: string, format: PairFormat): Generator<Pair> {
  for (const key of format.keys) {
    for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, at + 1)) {
      const end = at + key.length;
      if (isWordAt(text, at - 1) || isWordAt(text, end)) continue;
      yield [key, looseValue(text, end, format)];
      break;
    }
  }
}

function looseValue(text: string, from: number, format: PairFormat): string {
  for (let at = from; at < text.length; at++) {
    const quoted = quotedAt(text, at, format);
    if (quoted !== undefined && at > from) return quoted.text;
    if (!isWordAt(text, at)) continue;
    let end = at;
    while (isWordAt(text, end)) end++;
    return text.slice(at, end);
  }
  return "";
}

function isWordAt(text: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(text[at] ?? "");
}
