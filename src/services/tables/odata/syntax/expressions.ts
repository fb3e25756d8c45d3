import type {
  ComparisonOperator,
  Expression,
  LambdaNode,
  MathOperator,
  MembershipNode,
  QueryFunctionNode,
} from "./ast.ts";
import { Cursor } from "./cursor.ts";
import { parseJson, parseLiteral } from "./literals.ts";

const NAME = /[A-Za-z_$][\w.]*/y;
const WORD = /[A-Za-z_]\w*/y;
const ALIAS = /@[A-Za-z_]\w*/y;
const COMPARISON = /(?:eq|ne|gt|ge|lt|le|in|has)(?!\w)/y;
const SUM = /(?:add|sub)(?!\w)/y;
const PRODUCT = /(?:mul|div|mod)(?!\w)/y;
const PATH_MAX = 10;

/** The whole text of a `$filter`. */
export function parseFilter(text: string): Expression {
  const cursor = new Cursor("$filter", text);
  const condition = parseCondition(cursor);
  cursor.needEnd();
  return condition;
}

/** The value of a parameter alias: a literal, an array or an object. */
export function parseAliasValue(name: string, text: string): Expression {
  const cursor = new Cursor(name, text);
  cursor.skipBlanks();
  const next = cursor.peek();
  const isJson = next === "[" || next === "{";
  const value = isJson ? parseJson(cursor) : parseLiteral(cursor);
  cursor.needEnd();
  return value ?? cursor.fail("Expected a literal, an array or an object");
}

/** Conditions with `or` between them. */
export function parseCondition(cursor: Cursor): Expression {
  return cursor.nested(() => parseLogic(cursor, "or"));
}

function parseLogic(cursor: Cursor, kind: "and" | "or"): Expression {
  const { at } = cursor;
  const operand = () => (kind === "or" ? parseLogic(cursor, "and") : parseNot(cursor));
  const first = operand();
  if (!cursor.takeWord(kind)) return first;
  const operands = [first];
  do operands.push(operand());
  while (cursor.takeWord(kind));
  return { kind, operands, at };
}

function parseNot(cursor: Cursor): Expression {
  let isNegated = false;
  let at = cursor.at;
  while (cursor.takeWord("not")) {
    isNegated = !isNegated;
    at = cursor.at;
  }
  const operand = parseComparison(cursor);
  return isNegated ? { kind: "not", operand, at } : operand;
}

function parseComparison(cursor: Cursor): Expression {
  const left = parseValue(cursor);
  cursor.skipBlanks();
  const { at } = cursor;
  const operator = cursor.match(COMPARISON);
  if (operator === undefined) return left;
  if (operator === "in") return parseMembership(cursor, left, at);
  if (!isComparison(operator)) cursor.fail("The operator 'has' is not supported", at);
  cursor.countCondition();
  return { kind: "comparison", operator, left, right: parseValue(cursor), at };
}

function isComparison(operator: string): operator is ComparisonOperator {
  return operator !== "has";
}

function parseMembership(cursor: Cursor, left: Expression, at: number): MembershipNode {
  cursor.countCondition();
  cursor.skipBlanks();
  const start = cursor.at;
  const name = cursor.match(ALIAS);
  if (name !== undefined) {
    return { kind: "in", left, values: { kind: "alias", name, at: start }, at };
  }
  cursor.need("(");
  const values = cursor.list(")", () => parseValue(cursor));
  if (values.length === 0) cursor.fail("Expected a value", cursor.at - 1);
  return { kind: "in", left, values, at };
}

/** A value: something that `add`, `sub` and the like may stand between. */
export function parseValue(cursor: Cursor): Expression {
  return parseMath(cursor, SUM);
}

function parseMath(cursor: Cursor, operators: RegExp): Expression {
  const operand = () => (operators === SUM ? parseMath(cursor, PRODUCT) : parsePrimary(cursor));
  let left = operand();
  for (;;) {
    cursor.skipBlanks();
    const { at } = cursor;
    const operator = cursor.match(operators);
    if (operator === undefined) return left;
    cursor.countCondition();
    left = { kind: "math", operator: mathOperator(operator), left, right: operand(), at };
  }
}

const MATH_OPERATORS: readonly MathOperator[] = ["add", "div", "mod", "mul", "sub"];

function mathOperator(word: string): MathOperator {
  return MATH_OPERATORS.find((one) => one === word) ?? "add";
}

function parsePrimary(cursor: Cursor): Expression {
  cursor.skipBlanks();
  const { at } = cursor;
  if (cursor.takeNext("(")) {
    const condition = parseCondition(cursor);
    cursor.need(")");
    return condition;
  }
  const literal = parseLiteral(cursor);
  if (literal !== undefined) return literal;
  const next = cursor.peek();
  if (next === "[" || next === "{") return parseJson(cursor);
  if (next === "-") return parseNegation(cursor, at);
  const alias = cursor.match(ALIAS);
  if (alias !== undefined) return { kind: "alias", name: alias, at };
  const name = cursor.match(NAME);
  if (name === undefined) cursor.fail();
  if (cursor.takeNext("(")) return parseCall(cursor, name, at);
  return parsePath(cursor, name, at);
}

function parseNegation(cursor: Cursor, at: number): Expression {
  cursor.at += 1;
  cursor.countCondition();
  const operand = cursor.nested(() => parsePrimary(cursor));
  return { kind: "negation", operand, at };
}

function parseCall(cursor: Cursor, name: string, at: number): Expression {
  cursor.countCondition();
  if (name.includes(".")) return parseQueryFunction(cursor, name, at);
  const args = cursor.list(")", () => parseCondition(cursor));
  return { kind: "call", name, args, at };
}

function parseQueryFunction(cursor: Cursor, name: string, at: number): QueryFunctionNode {
  const named = new Map<string, Expression>();
  cursor.list(")", () => {
    cursor.skipBlanks();
    const parameter = cursor.match(WORD);
    if (parameter === undefined) cursor.fail("Expected the name of a parameter");
    if (named.has(parameter)) cursor.fail(`The parameter ${parameter} is given twice`);
    cursor.need("=");
    named.set(
      parameter,
      cursor.nested(() => parseValue(cursor)),
    );
  });
  return { kind: "queryFunction", name, named, at };
}

function parsePath(cursor: Cursor, first: string, at: number): Expression {
  const segments = [first];
  while (cursor.takeNext("/")) {
    const name = cursor.match(NAME);
    if (name === undefined) cursor.fail("Expected a name");
    if (name === "$count") return { kind: "count", path: segments, at };
    if (cursor.takeNext("(")) return parseLambda(cursor, { name, path: segments, at });
    segments.push(name);
    if (segments.length > PATH_MAX) cursor.fail(`The path has more than ${PATH_MAX} parts`);
  }
  return { kind: "path", segments, at };
}

interface LambdaStart {
  readonly name: string;
  readonly path: readonly string[];
  readonly at: number;
}

function parseLambda(cursor: Cursor, { name, path, at }: LambdaStart): LambdaNode {
  if (name !== "any" && name !== "all") cursor.fail(`Expected any or all instead of ${name}`);
  cursor.countCondition();
  if (cursor.take(")")) {
    if (name === "all") cursor.fail("Expected a condition for all");
    return { kind: "lambda", quantifier: name, path, variable: "", body: undefined, at };
  }
  cursor.skipBlanks();
  const variable = cursor.match(WORD);
  if (variable === undefined) cursor.fail("Expected the name of a variable");
  cursor.need(":");
  const body = parseCondition(cursor);
  cursor.need(")");
  return { kind: "lambda", quantifier: name, path, variable, body, at };
}
