import { Problem } from "#platform/problem.ts";
import { badQuery, CODES } from "../../protocol/refusals.ts";
import { joined, sql, type Sql } from "../../storage/sql.ts";
import type { LiteralNode, QueryFunctionNode } from "../syntax/ast.ts";
import { parseAliasValue } from "../syntax/expressions.ts";
import { DAY_MS, dayOf, spanOf, yearSpan, type Span } from "./calendar.ts";
import { likeText } from "./calls.ts";
import { compareAny, compareValues } from "./comparisons.ts";
import { incompatible, jsonLiteral, literalAs, literalValue } from "./literal.ts";
import type { Scope } from "./scope.ts";
import { numberOf, parameter, type Value } from "./value.ts";

const NAME = /^(?:Microsoft\.Dynamics\.CRM|mscrm)\.(\w+)$/;
/** Of whatever unit: 1000 centuries are not a time any more. */
const COUNT_MAX = 100_000;

/** Functions that need what Atoll does not keep, such as a hierarchy. */
const ABSENT: ReadonlySet<string> = new Set([
  "Above",
  "AboveOrEqual",
  "ContainValues",
  "DoesNotContainValues",
  "EqualRoleBusinessId",
  "EqualUserLanguage",
  "EqualUserOrUserHierarchy",
  "EqualUserOrUserHierarchyAndTeams",
  "InFiscalPeriod",
  "InFiscalPeriodAndYear",
  "InOrAfterFiscalPeriodAndYear",
  "InOrBeforeFiscalPeriodAndYear",
  "NotUnder",
  "Under",
  "UnderOrEqual",
]);

/** A function of the platform that tests one column. */
interface Testing {
  readonly scope: Scope;
  readonly node: QueryFunctionNode;
  readonly name: string;
  readonly value: Value;
}

export function compileQueryFunction(scope: Scope, node: QueryFunctionNode): Sql {
  const [, name] = NAME.exec(node.name) ?? [];
  if (name === undefined) throw unknown(node);
  if (ABSENT.has(name)) {
    throw new Problem(501, CODES.NotImplemented, `The query function ${name} is not there.`);
  }
  const value = scope.value(propertyPath(scope, node), node.at);
  const testing: Testing = { scope, node, name, value };
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined;
  if (special !== undefined) return special(testing);
  const span = spanOf(name, scope.querying.now, name.includes("X") ? countOf(testing) : 0);
  if (span === undefined) throw unknown(node);
  return within(testing, span);
}

function unknown({ name, at }: QueryFunctionNode): Problem {
  return badQuery(`The query function '${name}' at position ${at} is not known.`);
}

const SPECIAL: Readonly<Record<string, (testing: Testing) => Sql>> = {
  Between: (testing) => between(testing),
  NotBetween: (testing) => negated(between(testing)),
  Contains: (testing) => {
    const literal = requireValue(testing);
    if (testing.value.type !== "text" || literal.type !== "text") {
      return incompatible(testing.value, literalValue(literal, testing.scope.querying.dialect));
    }
    return likeText(testing.value, "contains", literal.value, testing.scope.querying.dialect);
  },
  In: (testing) => among(testing),
  NotIn: (testing) => negated(among(testing)),
  EqualUserId: ({ scope, value }) => isId(scope, value, scope.querying.userId),
  NotEqualUserId: ({ scope, value }) => negated(isId(scope, value, scope.querying.userId)),
  EqualBusinessId: ({ scope, value }) => isId(scope, value, scope.querying.businessUnitId),
  NotEqualBusinessId: ({ scope, value }) =>
    negated(isId(scope, value, scope.querying.businessUnitId)),
  EqualUserTeams: ({ scope, value }) => isTeam(scope, value),
  EqualUserOrUserTeams: ({ scope, value }) =>
    either(isTeam(scope, value), isId(scope, value, scope.querying.userId)),
  On: (testing) => within(testing, dayOf(momentOf(testing))),
  OnOrAfter: (testing) => within(testing, { from: dayOf(momentOf(testing)).from }),
  OnOrBefore: (testing) => within(testing, { to: dayOf(momentOf(testing)).to }),
  InFiscalYear: (testing) => within(testing, yearSpan(countOf(testing))),
};

function negated({ text, values }: Sql): Sql {
  return sql(`((${text}) is not true)`, values);
}

function either(one: Sql, other: Sql): Sql {
  const { text, values } = joined([one, other], " or ");
  return sql(`(${text})`, values);
}

function isId({ querying }: Scope, value: Value, id: string): Sql {
  const literal: LiteralNode = { kind: "literal", type: "guid", value: id, at: value.at };
  return compareValues("eq", value, literalValue(literal, querying.dialect), querying.dialect);
}

/** Links of users with teams have the team first. */
function isTeam({ querying }: Scope, value: Value): Sql {
  if (value.type !== "guid") throw badQuery(`Expected a lookup at position ${value.at}.`);
  const user = parameter(querying.userId, querying.dialect);
  return sql(
    `${value.sql.text} in (select first_id from row_link ` +
      `where relationship = 'teammembership_association' and second_id = ${user.text})`,
    [...value.sql.values, ...user.values],
  );
}

function between(testing: Testing): Sql {
  const [from, to, ...more] = valuesOf(testing);
  if (from === undefined || to === undefined || more.length > 0) {
    throw badQuery(`${testing.name} takes two PropertyValues, at position ${testing.node.at}.`);
  }
  const { dialect } = testing.scope.querying;
  const literal = (one: LiteralNode) => literalValue(fitting(one, testing.value), dialect);
  return joined(
    [
      compareValues("ge", testing.value, literal(from), dialect),
      compareValues("le", testing.value, literal(to), dialect),
    ],
    " and ",
  );
}

function among(testing: Testing): Sql {
  const { dialect } = testing.scope.querying;
  const values = valuesOf(testing).map((one) => literalValue(fitting(one, testing.value), dialect));
  return compareAny(testing.value, values, dialect);
}

/** Values arrive as texts whatever they are: as what the column holds. */
function fitting(literal: LiteralNode, { type }: Value): LiteralNode {
  if (literal.type !== "text" || type === "text" || type === "null") return literal;
  return { ...literal, ...parseAliasValueOr(literal) };
}

function parseAliasValueOr(literal: LiteralNode): LiteralNode {
  const parsed = parseAliasValue("PropertyValues", literal.value);
  return parsed.kind === "literal" ? { ...parsed, at: literal.at } : literal;
}

/** Whether a time is in a span. A day is in it when any moment of it is. */
function within({ scope, value }: Testing, { from, to }: Span): Sql {
  if (value.type !== "date" && value.type !== "time") {
    throw badQuery(`Expected a date at position ${value.at}.`);
  }
  const isDay = value.type === "date";
  const pieces: Sql[] = [];
  const add = (symbol: string, moment: Date) => {
    const cell = isDay
      ? moment.toISOString().slice(0, 10)
      : `${moment.toISOString().slice(0, 19)}Z`;
    pieces.push(joined([value.sql, parameter(cell, scope.querying.dialect)], ` ${symbol} `));
  };
  if (from !== undefined) add(">=", from);
  if (to !== undefined) {
    const isMidnight = to.getTime() % DAY_MS === 0;
    add(isDay && !isMidnight ? "<=" : "<", to);
  }
  const { text, values } = joined(pieces, " and ");
  return sql(`(${text})`, values);
}

function momentOf(testing: Testing): Date {
  const literal = fitting(requireValue(testing), { ...testing.value, type: "time" });
  const cell = literalAs(literal, "time");
  if (typeof cell === "string") return new Date(cell);
  throw badQuery(`Expected a date as PropertyValue at position ${literal.at}.`);
}

function countOf(testing: Testing): number {
  const { value, at } = requireValue(testing);
  const count = numberOf(value, at);
  if (Number.isInteger(count) && count >= 1 && count <= COUNT_MAX) return count;
  throw badQuery(`The PropertyValue at position ${at} is not a whole number up to ${COUNT_MAX}.`);
}

function requireValue({ scope, node, name }: Testing): LiteralNode {
  const [value] = parameterOf(scope, node, "PropertyValue");
  if (value !== undefined) return value;
  throw badQuery(`${name} at position ${node.at} needs a PropertyValue.`);
}

function valuesOf({ scope, node, name }: Testing): readonly LiteralNode[] {
  const values = parameterOf(scope, node, "PropertyValues");
  if (values.length > 0) return values;
  throw badQuery(`${name} at position ${node.at} needs PropertyValues.`);
}

function propertyPath(scope: Scope, node: QueryFunctionNode): readonly string[] {
  const [property] = parameterOf(scope, node, "PropertyName");
  if (property?.type === "text") return property.value.split("/");
  throw badQuery(`${node.name} at position ${node.at} needs a PropertyName.`);
}

/** The values of a parameter, wherever they are said; none when it is not there. */
function parameterOf(scope: Scope, node: QueryFunctionNode, name: string): readonly LiteralNode[] {
  let given = node.named.get(name);
  if (given?.kind === "alias") {
    const text = scope.querying.aliases.get(given.name);
    if (text === undefined) throw badQuery(`The parameter alias ${given.name} has no value.`);
    given = parseAliasValue(given.name, text);
  }
  if (given === undefined) return [];
  if (given.kind === "literal") return [given];
  if (given.kind === "json" && Array.isArray(given.value)) {
    return given.value.map((item: unknown) => jsonLiteral(item, node.at));
  }
  throw badQuery(`The parameter ${name} at position ${node.at} is not a value.`);
}
