import { badQuery } from "../../protocol/refusals.ts";
import { sql, type Sql } from "../../storage/sql.ts";
import type { Expression, MathNode, MathOperator, NegationNode } from "../syntax/ast.ts";
import { parseAliasValue } from "../syntax/expressions.ts";
import { compileCall, isPredicate } from "./calls.ts";
import { compileCount } from "./collections.ts";
import { literalValue } from "./literal.ts";
import type { Scope } from "./scope.ts";
import { filled } from "./template.ts";
import { asReal, computed, type Value } from "./value.ts";

/** What an expression is worth for a row. */
export function compileValue(scope: Scope, expression: Expression): Value {
  const { kind, at } = expression;
  if (kind === "literal") return literalValue(expression, scope.querying.dialect);
  if (kind === "path") return scope.value(expression.segments, at);
  if (kind === "alias") return compileAlias(scope, expression.name);
  if (kind === "count") return compileCount(scope, expression);
  if (kind === "math") return compileMath(scope, expression);
  if (kind === "negation") return compileNegation(scope, expression);
  if (kind === "call" && !isPredicate(expression.name)) return compileCall(scope, expression);
  if (kind !== "json") return asFlag(scope, expression);
  throw badQuery(`An array or an object cannot be compared, at position ${at}.`);
}

function compileNegation(scope: Scope, { operand, at }: NegationNode): Value {
  return computed("number", filled("(- $1)", [compileNumber(scope, operand)]), at);
}

/** A condition as a value: 1 where it holds, else 0. */
function asFlag(scope: Scope, expression: Expression): Value {
  const { text, values } = scope.querying.compiler.condition(scope, expression);
  const piece = sql(`(case when ${text} then 1 else 0 end)`, values);
  return computed("boolean", piece, expression.at);
}

function compileAlias(scope: Scope, name: string): Value {
  const text = scope.querying.aliases.get(name);
  if (text === undefined) throw badQuery(`The parameter alias ${name} has no value.`);
  return compileValue(scope, parseAliasValue(name, text));
}

/** A number, as one with a fraction; what is calculated is one already. */
function compileNumber(scope: Scope, expression: Expression): Sql {
  const { type, sql: piece, at } = compileValue(scope, expression);
  if (type !== "number") throw badQuery(`Expected a number at position ${at}.`);
  if (expression.kind === "math" || expression.kind === "negation") return piece;
  return asReal(piece, scope.querying.dialect);
}

/** With the two values as `$1` and `$2`; what is divided by zero is nothing. */
const MATH: Readonly<Record<MathOperator, string>> = {
  add: "($1 + $2)",
  div: "($1 / nullif($2, 0))",
  mod: "($1 - $2 * trunc($1 / nullif($2, 0)))",
  mul: "($1 * $2)",
  sub: "($1 - $2)",
};

function compileMath(scope: Scope, { operator, left, right, at }: MathNode): Value {
  const args = [compileNumber(scope, left), compileNumber(scope, right)];
  return computed("number", filled(MATH[operator], args), at);
}
