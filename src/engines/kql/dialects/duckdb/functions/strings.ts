import { quote, type Sql } from "../sql.ts";
import { textOf } from "../texts.ts";
import { lowered } from "./comparisons.ts";
import { arg, constantText, plain, type Emitter, type EmitterTable } from "./emitter.ts";

export const strings: EmitterTable = {
  contains: search(false, (text, term) => `contains(${text}, ${term})`),
  contains_cs: search(true, (text, term) => `contains(${text}, ${term})`),
  startswith: search(false, (text, term) => `starts_with(${text}, ${term})`),
  startswith_cs: search(true, (text, term) => `starts_with(${text}, ${term})`),
  endswith: search(false, (text, term) => `suffix(${text}, ${term})`),
  endswith_cs: search(true, (text, term) => `suffix(${text}, ${term})`),
  has: terms(false, true, true),
  has_cs: terms(true, true, true),
  hasprefix: terms(false, true, false),
  hasprefix_cs: terms(true, true, false),
  hassuffix: terms(false, false, true),
  hassuffix_cs: terms(true, false, true),
  "matches regex": ([text, pattern]) =>
    `regexp_matches(${textOf(must(text))}, ${regexOf(must(pattern))})`,
  has_any: (args) => setOfTerms(args, "OR"),
  has_all: (args) => setOfTerms(args, "AND"),
  strcat: (args) => `concat(${args.map(textOf).join(", ")})`,
  strcat_delim: (args) => `concat_ws(${args.map(textOf).join(", ")})`,
  strlen: ([value]) => `length(${textOf(must(value))})`,
  string_size: ([value]) => `CAST(strlen(${textOf(must(value))}) AS BIGINT)`,
  toupper: ([value]) => `upper(${textOf(must(value))})`,
  tolower: ([value]) => `lower(${textOf(must(value))})`,
  substring: substring,
  indexof: indexOf,
  replace_string: (args) => `replace(${args.map(textOf).join(", ")})`,
  replace_regex: ([text, pattern, by]) =>
    `regexp_replace(${textOf(must(text))}, ${regexOf(must(pattern))}, ${must(by).text}, 'g')`,
  replace: (args, type) =>
    strings["replace_regex"]?.([must(args[2]), must(args[0]), must(args[1])], type),
  trim: trim("^(?:@)|(?:@)$"),
  trim_start: trim("^(?:@)"),
  trim_end: trim("(?:@)$"),
  extract: extract,
  split: split,
  strcmp: ([a, b]) =>
    `CASE WHEN ${textOf(must(a))} < ${textOf(must(b))} THEN -1 ` +
    `WHEN ${textOf(must(a))} > ${textOf(must(b))} THEN 1 ELSE 0 END::BIGINT`,
  strrep: ([text, count, between]) => repeat(must(text), must(count), between),
  isascii: ([text]) => `regexp_full_match(${textOf(must(text))}, '[\\x00-\\x7f]*')`,
  isutf8: () => "true",
  regex_quote: plain("regexp_escape"),
  tohex: ([value, width]) =>
    width === undefined
      ? `lower(to_hex(${must(value).text}))`
      : `lpad(lower(to_hex(${must(value).text})), greatest(CAST(${width.text} AS INTEGER), ` +
        `CAST(length(to_hex(${must(value).text})) AS INTEGER)), '0')`,
  new_guid: () => "CAST(uuid() AS VARCHAR)",
};

/** The pattern with the classes that are Unicode in the language and ASCII in SQL. */
function regexOf(pattern: Sql): string {
  const text = constantText(pattern);
  if (text === undefined) return pattern.text;
  return quote(text.replaceAll(/\\(.)/gs, (whole, sign: string) => UNICODE.get(sign) ?? whole));
}

const UNICODE: ReadonlyMap<string, string> = new Map([
  ["d", String.raw`\p{Nd}`],
  ["D", String.raw`\P{Nd}`],
]);

function must(value: Sql | undefined): Sql {
  if (value === undefined) throw new Error("An argument is missing");
  return value;
}

function search(caseSensitive: boolean, test: (text: string, term: string) => string): Emitter {
  return (args) => {
    const [text, term] = [arg(args, 0), arg(args, 1)];
    if (caseSensitive) return test(textOf(text), textOf(term));
    return test(`lower(${textOf(text)})`, lowered(term));
  };
}

const BEFORE = String.raw`(^|[^\p{L}\p{N}])`;
const AFTER = String.raw`($|[^\p{L}\p{N}])`;

/** A term is a run of letters and digits; the plain search in front is much cheaper. */
function terms(caseSensitive: boolean, atStart: boolean, atEnd: boolean): Emitter {
  return (args) => termTest(arg(args, 0), arg(args, 1), { caseSensitive, atStart, atEnd });
}

interface TermTest {
  readonly caseSensitive: boolean;
  readonly atStart: boolean;
  readonly atEnd: boolean;
}

function termTest(value: Sql, term: Sql, test: TermTest): string {
  const text = textOf(value);
  const prefilter = test.caseSensitive
    ? `contains(${text}, ${textOf(term)})`
    : `contains(lower(${text}), ${lowered(term)})`;
  const literal = constantText(term);
  const pattern = literal === undefined ? openPattern(term, test) : closedPattern(literal, test);
  return pattern === undefined
    ? prefilter
    : `(${prefilter} AND regexp_matches(${text}, ${pattern}))`;
}

function openPattern(term: Sql, { caseSensitive, atStart, atEnd }: TermTest): string {
  const flags = caseSensitive ? "" : "(?i)";
  const [before, after] = [atStart ? BEFORE : "", atEnd ? AFTER : ""];
  const word = `regexp_escape(${textOf(term)})`;
  const whole = `${quote(flags + before)} || ${word} || ${quote(after)}`;
  return `CASE WHEN ${textOf(term)} = '' THEN '' ELSE ${whole} END`;
}

/** Undefined where the text alone decides: only a letter or a digit can be within a term. */
function closedPattern(
  term: string,
  { caseSensitive, atStart, atEnd }: TermTest,
): string | undefined {
  const before = atStart && /^[\p{L}\p{N}]/u.test(term) ? BEFORE : "";
  const after = atEnd && /[\p{L}\p{N}]$/u.test(term) ? AFTER : "";
  if (before === "" && after === "") return undefined;
  return quote((caseSensitive ? "" : "(?i)") + before + escapeRegex(term) + after);
}

function escapeRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

const WHOLE_TERM: TermTest = { caseSensitive: false, atStart: true, atEnd: true };

function setOfTerms([value, ...set]: readonly Sql[], join: "AND" | "OR"): string | undefined {
  const text = must(value);
  const tests = set.flatMap((one) => {
    if (one.type !== "dynamic") return [termTest(text, one, WHOLE_TERM)];
    const constant = one.constant?.value;
    if (!Array.isArray(constant)) return [];
    return constant.map((term) => {
      const literal = String(term);
      const sql: Sql = {
        text: quote(literal),
        type: "string",
        isNullable: false,
        constant: { value: literal },
      };
      return termTest(text, sql, WHOLE_TERM);
    });
  });
  const isKnown = set.every((one) => one.type !== "dynamic" || Array.isArray(one.constant?.value));
  if (!isKnown) return undefined;
  if (tests.length === 0) return join === "OR" ? "false" : "true";
  return `(${tests.join(` ${join} `)})`;
}

/** Positions count from 0; a negative start counts from the end. */
function substring(args: readonly Sql[]): string {
  const text = textOf(arg(args, 0));
  const start = `(${arg(args, 1).text})`;
  const length = args[2];
  if (isNatural(arg(args, 1))) {
    if (length === undefined) return `substring(${text}, ${start} + 1)`;
    return `substring(${text}, ${start} + 1, greatest(${length.text}, 0))`;
  }
  const from = `(CASE WHEN ${start} < 0 THEN length(${text}) + ${start} ELSE ${start} END)`;
  const cut = `substring(${text}, greatest(${from}, 0) + 1`;
  if (length === undefined) return `${cut})`;
  return `${cut}, greatest(${length.text} + least(${from}, 0), 0))`;
}

function isNatural(value: Sql): boolean {
  const constant = value.constant?.value;
  return typeof constant === "bigint" && constant >= 0n;
}

function indexOf(args: readonly Sql[]): string | undefined {
  if (args.length > 2) return undefined;
  const [text, term] = [textOf(arg(args, 0)), textOf(arg(args, 1))];
  return `(strpos(${text}, ${term}) - 1)`;
}

/** Trims matches of a regular expression; `@` in the shape stands for it. */
function trim(shape: string): Emitter {
  return (args) => {
    const pattern = constantText(args[0]);
    const text = textOf(arg(args, 1));
    const regex =
      pattern === undefined
        ? shapeWith(shape, arg(args, 0).text)
        : quote(shape.replaceAll("@", () => pattern));
    return `regexp_replace(${text}, ${regex}, '', 'g')`;
  };
}

function shapeWith(shape: string, pattern: string): string {
  return shape.split("@").map(quote).join(` || ${pattern} || `);
}

/** `extract(regex, group, text[, typeof(...)])`; the translator adds the conversion. */
function extract(args: readonly Sql[]): string {
  const [pattern, group, text] = [arg(args, 0), arg(args, 1), arg(args, 2)];
  return (
    `coalesce(regexp_extract(${textOf(text)}, ${regexOf(pattern)}, ` +
    `CAST(${group.text} AS INTEGER)), '')`
  );
}

function split(args: readonly Sql[]): string | undefined {
  const [text, delimiter] = [textOf(arg(args, 0)), textOf(arg(args, 1))];
  const pieces = `string_split(${text}, ${delimiter})`;
  const whole = `CASE WHEN ${delimiter} = '' THEN [${text}] ELSE ${pieces} END`;
  const index = args[2];
  if (index === undefined) return `CAST(to_json(${whole}) AS VARCHAR)`;
  return (
    `CAST(to_json(list_slice(${whole}, CAST(${index.text} AS BIGINT) + 1, ` +
    `CAST(${index.text} AS BIGINT) + 1)) AS VARCHAR)`
  );
}

function repeat(text: Sql, count: Sql, between: Sql | undefined): string {
  const times = `CAST(${count.text} AS BIGINT)`;
  if (between === undefined) return `repeat(${textOf(text)}, ${times})`;
  const joined = `${textOf(text)} || repeat(${textOf(between)} || ${textOf(text)}, ${times} - 1)`;
  return `CASE WHEN ${times} < 1 THEN '' ELSE ${joined} END`;
}
