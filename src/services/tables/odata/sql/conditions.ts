import { badQuery } from "../../protocol/refusals.ts";
import { joined, sql, type Sql } from "../../storage/sql.ts";
import type {
  ComparisonNode,
  Expression,
  LiteralNode,
  LogicNode,
  MembershipNode,
  NotNode,
} from "../syntax/ast.ts";
import { parseAliasValue } from "../syntax/expressions.ts";
import { isPredicate, predicate } from "./calls.ts";
import { compareAny, compareValues } from "./comparisons.ts";
import { compileLambda } from "./collections.ts";
import { compileQueryFunction } from "./query-functions.ts";
import { jsonLiteral } from "./literal.ts";
import type { Compiler, Scope } from "./scope.ts";
import { compileValue } from "./values.ts";

/** What expressions of all kinds become. */
export const compiler: Compiler = { condition: compileCondition, value: compileValue };

const TRUE = sql("1 = 1");
const FALSE = sql("1 = 0");

/** What has to hold for a row. Where nothing is known of a row, the condition does not hold. */
export function compileCondition(scope: Scope, expression: Expression): Sql {
  const { kind } = expression;
  if (kind === "and" || kind === "or") return compileLogic(scope, expression);
  if (kind === "not") return compileNot(scope, expression);
  if (kind === "comparison") return compileComparison(scope, expression);
  if (kind === "in") return compileMembership(scope, expression);
  if (kind === "lambda") return compileLambda(scope, expression);
  if (kind === "queryFunction") return compileQueryFunction(scope, expression);
  return compileFlag(scope, expression);
}

function compileLogic(scope: Scope, { kind, operands }: LogicNode): Sql {
  const compiled = operands.map((operand) => compileCondition(scope, operand));
  return wrapped(joined(compiled, ` ${kind} `));
}

function compileComparison(scope: Scope, { operator, left, right }: ComparisonNode): Sql {
  const one = compileValue(scope, left);
  return compareValues(operator, one, compileValue(scope, right), scope.querying.dialect);
}

/** A row that a condition does not hold for, whether it is false or unknown. */
function compileNot(scope: Scope, { operand }: NotNode): Sql {
  const { text, values } = compileCondition(scope, operand);
  return sql(`((${text}) is not true)`, values);
}

/** A function, a column or a literal that is true or false by itself. */
function compileFlag(scope: Scope, expression: Expression): Sql {
  if (expression.kind === "call" && isPredicate(expression.name)) {
    return predicate(scope, expression);
  }
  const { type, literal, sql: piece, at } = compileValue(scope, expression);
  if (type !== "boolean") throw badQuery(`Expected a condition at position ${at}.`);
  if (literal !== undefined) return literal.value === "true" ? TRUE : FALSE;
  return sql(`${piece.text} = 1`, piece.values);
}

function compileMembership(scope: Scope, { left, values, at }: MembershipNode): Sql {
  const value = compileValue(scope, left);
  const items = "kind" in values ? listOf(scope, values.name, at) : values;
  const compiled = items.map((item) => compileValue(scope, item));
  return compareAny(value, compiled, scope.querying.dialect);
}

/** The values of an alias that stands for a list. */
function listOf(scope: Scope, name: string, at: number): readonly LiteralNode[] {
  const text = scope.querying.aliases.get(name);
  if (text === undefined) throw badQuery(`The parameter alias ${name} has no value.`);
  const parsed = parseAliasValue(name, text);
  if (parsed.kind !== "json" || !Array.isArray(parsed.value)) {
    throw badQuery(`The parameter alias ${name} is not an array.`);
  }
  return parsed.value.map((item: unknown) => jsonLiteral(item, at));
}

function wrapped({ text, values }: Sql): Sql {
  return sql(`(${text})`, values);
}
