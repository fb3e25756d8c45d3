import { badQuery } from "../../protocol/refusals.ts";
import { guidOf } from "../../protocol/path.ts";
import type { Cell, Dialect } from "../../storage/sql.ts";
import type { LiteralNode } from "../syntax/ast.ts";
import { computed, numberOf, parameter, type Value, type ValueType } from "./value.ts";

/** What a type is called in errors. */
const TYPE_NAMES: Readonly<Record<ValueType, string>> = {
  boolean: "Edm.Boolean",
  date: "Edm.Date",
  guid: "Edm.Guid",
  null: "null",
  number: "Edm.Decimal",
  text: "Edm.String",
  time: "Edm.DateTimeOffset",
};

/** Refuses two values that cannot be compared with each other. */
export function incompatible(left: Value, right: Value): never {
  throw badQuery(
    `A value of type '${TYPE_NAMES[right.type]}' at position ${right.at} does not fit to one of ` +
      `type '${TYPE_NAMES[left.type]}' at position ${left.at}.`,
  );
}

/** A literal as one of the type that it is compared with; undefined when it is none of it. */
export function literalAs(literal: LiteralNode, type: ValueType): Cell | undefined {
  return literal.type === "null" ? null : CONVERSIONS[type](literal);
}

type Conversion = (literal: LiteralNode) => Cell | undefined;

const CONVERSIONS: Readonly<Record<ValueType, Conversion>> = {
  boolean: ({ type, value }) => (type === "boolean" ? Number(value === "true") : undefined),
  date: (literal) => (isMoment(literal) ? timeOf(literal).slice(0, 10) : undefined),
  guid: ({ type, value }) => (type === "guid" || type === "text" ? guidOf(value) : undefined),
  null: () => undefined,
  number: ({ type, value, at }) => (type === "number" ? numberOf(value, at) : undefined),
  text: ({ type, value }) => (type === "text" ? value : undefined),
  time: (literal) => (isMoment(literal) ? timeOf(literal) : undefined),
};

function isMoment({ type }: LiteralNode): boolean {
  return type === "date" || type === "time";
}

/** A time as columns keep it; a day stands for its beginning. Fractions of seconds are dropped. */
function timeOf({ value: text, at }: LiteralNode): string {
  const day = text.slice(0, 10);
  const hasTime = text.length > 10;
  const zone = /(?:Z|[+-]\d\d:\d\d)$/i.test(text.slice(10)) ? "" : "Z";
  const time = new Date(hasTime ? `${text.toUpperCase()}${zone}` : `${day}T00:00:00Z`);
  // A day that the month does not have moves on to the next one.
  const sameDay = new Date(`${day}T00:00:00Z`);
  const isReal = !Number.isNaN(time.getTime()) && !Number.isNaN(sameDay.getTime());
  if (!isReal || sameDay.toISOString().slice(0, 10) !== day) {
    throw badQuery(`The time ${text} at position ${at} does not exist.`);
  }
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** A literal as a value of its own type. */
export function literalValue(literal: LiteralNode, dialect: Dialect): Value {
  const cell = literalAs(literal, literal.type) ?? null;
  const value = computed(literal.type, parameter(cell, dialect), literal.at);
  return { ...value, literal };
}

/** Two values made comparable, or a refusal: a literal takes the type of the other one. */
export function unified(left: Value, right: Value, dialect: Dialect): readonly [Value, Value] {
  if (right.literal !== undefined) return [left, fitted(right.literal, right, left, dialect)];
  if (left.literal !== undefined) return [fitted(left.literal, left, right, dialect), right];
  if (left.type !== right.type && !(isTimed(left) && isTimed(right))) incompatible(left, right);
  return [left, right];
}

function isTimed({ type }: Value): boolean {
  return type === "date" || type === "time";
}

function fitted(literal: LiteralNode, own: Value, other: Value, dialect: Dialect): Value {
  const cell = literalAs(literal, other.type);
  if (cell === undefined) incompatible(other, own);
  return { ...computed(other.type, parameter(cell, dialect), own.at), literal };
}

/** A value of JSON as a literal: a text that looks like a GUID or a time is still a text. */
export function jsonLiteral(item: unknown, at: number): LiteralNode {
  const type = item === null ? "null" : JSON_TYPES.find((one) => one[0] === typeof item)?.[1];
  if (type !== undefined) return { kind: "literal", type, value: String(item), at };
  throw badQuery("An array of values may hold texts, numbers, true, false and null.");
}

const JSON_TYPES = [
  ["boolean", "boolean"],
  ["number", "number"],
  ["string", "text"],
] as const;
