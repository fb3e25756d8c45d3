import { badQuery } from "../../protocol/refusals.ts";
import { joined, sql, type Dialect, type Sql } from "../../storage/sql.ts";
import type { ComparisonOperator } from "../syntax/ast.ts";
import { unified } from "./literal.ts";
import { folded, type Value } from "./value.ts";

const SYMBOLS: Readonly<Record<ComparisonOperator, string>> = {
  eq: "=",
  ge: ">=",
  gt: ">",
  le: "<=",
  lt: "<",
  ne: "is distinct from",
};

/**
 * Nothing is equal to nothing and different from everything else; it is neither before nor after
 * anything.
 */
export function compareValues(
  operator: ComparisonOperator,
  left: Value,
  right: Value,
  dialect: Dialect,
): Sql {
  if (left.type === "null") return compareNull(operator, right);
  if (right.type === "null") return compareNull(operator, left);
  const [one, other] = unified(left, right, dialect);
  const isFixed = one.literal !== undefined || other.literal !== undefined;
  const symbol = operator === "eq" && !isFixed ? "is not distinct from" : SYMBOLS[operator];
  return joined([folded(one, dialect), folded(other, dialect)], ` ${symbol} `);
}

function compareNull(operator: ComparisonOperator, { type, sql: piece }: Value): Sql {
  if (operator !== "eq" && operator !== "ne") return sql("1 = 0");
  if (type === "null") return sql(operator === "eq" ? "1 = 1" : "1 = 0");
  return sql(`${piece.text} is ${operator === "eq" ? "" : "not "}null`, piece.values);
}

/** Values that one condition may name. */
const VALUES_MAX = 5000;

function isListed({ type, literal }: Value): boolean {
  return literal !== undefined && type !== "null";
}

/** Whether a value is one of others. A list, for engines take no long chain of alternatives. */
export function compareAny(left: Value, values: readonly Value[], dialect: Dialect): Sql {
  if (values.length > VALUES_MAX) {
    throw badQuery(`The list at position ${left.at} has more than ${VALUES_MAX} values.`);
  }
  const isFixed = left.literal !== undefined || left.type === "null";
  const [listed, others] = [values.filter(isListed), values.filter((one) => !isListed(one))];
  const single = isFixed ? values : others;
  const alternatives = single.map((one) => compareValues("eq", left, one, dialect));
  if (!isFixed && listed.length > 0) {
    const pieces = listed.map((one) => folded(unified(left, one, dialect)[1], dialect));
    const list = joined(pieces, ", ");
    const whole = folded(left, dialect);
    const text = `${whole.text} in (${list.text})`;
    alternatives.push(sql(text, [...whole.values, ...list.values]));
  }
  if (alternatives.length === 0) return sql("1 = 0");
  const { text, values: all } = joined(alternatives, " or ");
  return sql(`(${text})`, all);
}
