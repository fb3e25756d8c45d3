/** Logical operations in one expression. */
const OPERATION_COUNT_MAX = 10;
/** Characters of an expression. */
const EXPRESSION_MAX = 4096;

/** What is asked of tags, read from a header or query parameter. */
export interface TagExpression {
  readonly holds: (tag: (name: string) => string | undefined) => boolean;
  /** Tags that the expression mentions. */
  readonly names: ReadonlySet<string>;
}

/** Why a text is no expression. */
export class TagExpressionError extends Error {
  override readonly name = "TagExpressionError";
}

/** `search`: no OR and no <>, but `@container`, as in a search over containers. */
export type Grammar = "condition" | "search";

type Test = TagExpression["holds"];
const COMPARISONS: Readonly<Record<string, (found: string, wanted: string) => boolean>> = {
  "=": (found, wanted) => found === wanted,
  "<>": (found, wanted) => found !== wanted,
  ">": (found, wanted) => found > wanted,
  ">=": (found, wanted) => found >= wanted,
  "<": (found, wanted) => found < wanted,
  "<=": (found, wanted) => found <= wanted,
};
const TOKEN = /\s*(?:("[^"]*")|('[^']*')|(<>|>=|<=|[=<>()])|(@?[A-Za-z_][\w]*))/y;

/**
 * Reads `"name" = 'value' AND (...)`. Values compare as text; a tag that is not there differs from
 * every value and is neither less nor greater. Throws a `TagExpressionError`.
 */
export function parseTagExpression(text: string, grammar: Grammar): TagExpression {
  const tokens = tokensOf(text);
  const names = new Set<string>();
  let at = 0;
  let operations = 0;
  const holds = disjunction();
  if (at < tokens.length) throw unexpected(tokens[at]);
  return { holds, names };

  function disjunction(): Test {
    let left = conjunction();
    while (takeWord("OR")) {
      const [first, second] = [left, conjunction()];
      left = (tag) => first(tag) || second(tag);
    }
    return left;
  }

  function conjunction(): Test {
    let left = primary();
    while (takeWord("AND")) {
      const [first, second] = [left, primary()];
      left = (tag) => first(tag) && second(tag);
    }
    return left;
  }

  function primary(): Test {
    if (tokens[at] !== "(") return comparison();
    at += 1;
    const inner = disjunction();
    if (tokens[at] !== ")") throw new TagExpressionError("a bracket is not closed");
    at += 1;
    return inner;
  }

  function comparison(): Test {
    const [name, operator = "", value = ""] = tokens.slice(at, at + 3);
    const compare = COMPARISONS[operator];
    const isKnown = compare !== undefined && (operator !== "<>" || grammar === "condition");
    if (!isKnown || !value.startsWith("'")) throw unexpected(name);
    at += 3;
    const tagName = nameOf(name, grammar);
    const wanted = value.slice(1, -1);
    names.add(tagName);
    return (tag) => {
      const found = tag(tagName);
      return found === undefined ? operator === "<>" : compare(found, wanted);
    };
  }

  function takeWord(word: string): boolean {
    if (tokens[at]?.toUpperCase() !== word) return false;
    if (word === "OR" && grammar === "search") throw unexpected(tokens[at]);
    at += 1;
    operations += 1;
    if (operations <= OPERATION_COUNT_MAX) return true;
    throw new TagExpressionError(`it has more than ${OPERATION_COUNT_MAX} logical operations`);
  }
}

function tokensOf(text: string): string[] {
  if (text.length > EXPRESSION_MAX) {
    const said = `it has ${text.length} characters, and ${EXPRESSION_MAX} is the limit`;
    throw new TagExpressionError(said);
  }
  const tokens: string[] = [];
  const source = text.trimEnd();
  for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const [token] = TOKEN.exec(source) ?? [];
    if (token === undefined) throw new TagExpressionError(`character ${at} fits nowhere`);
    tokens.push(token.trim());
  }
  return tokens;
}

function nameOf(token: string | undefined, grammar: Grammar): string {
  if (token === undefined || /^['()=<>]/.test(token)) throw unexpected(token);
  if (token.startsWith('"')) return token.slice(1, -1);
  if (token.startsWith("@") && (grammar === "condition" || token !== "@container")) {
    throw unexpected(token);
  }
  return token;
}

function unexpected(token: string | undefined): TagExpressionError {
  if (token === undefined) return new TagExpressionError("it ends too early");
  return new TagExpressionError(`at ${token} there is no "name" = 'value'`);
}
