import type { Table } from "../definitions/table.ts";
import type { Column } from "../definitions/types.ts";
import { badQuery, notImplemented } from "../protocol/refusals.ts";
import { cellOf } from "../rows/cells.ts";
import { compared } from "../storage/physical.ts";
import { joined, sql, type Dialect, type Sql } from "../storage/sql.ts";
import type { Element } from "./read-xml.ts";

const COMPARISONS: Readonly<Record<string, string>> = {
  eq: "=",
  ge: ">=",
  gt: ">",
  le: "<=",
  lt: "<",
  ne: "<>",
  neq: "<>",
};

const LISTS: Readonly<Record<string, string>> = { in: "in", "not-in": "not in" };
const PATTERNS: Readonly<Record<string, string>> = { like: "like", "not-like": "not like" };
const ABSENCE: Readonly<Record<string, string>> = { null: "is null", "not-null": "is not null" };

/** A `filter` with its conditions, or one condition. */
export function conditionOf(table: Table, dialect: Dialect, element: Element): Sql {
  if (element.name === "condition") return comparison(table, dialect, element);
  if (element.name !== "filter") throw notImplemented(`${element.name} in a FetchXML filter`);
  const parts = element.children.map((child) => conditionOf(table, dialect, child));
  if (parts.length === 0) return sql("1 = 1");
  const { text, values } = joined(parts, element.attributes["type"] === "or" ? " or " : " and ");
  return sql(`(${text})`, values);
}

function comparison(table: Table, dialect: Dialect, condition: Element): Sql {
  const { attribute = "", operator = "", value = "" } = condition.attributes;
  const column = requireColumn(table, attribute);
  const left = compared(column, dialect);
  const mark = left.startsWith("lower(") ? "lower(?)" : "?";
  const absence = ABSENCE[operator];
  if (absence !== undefined) return sql(`${left} ${absence}`);
  const pattern = PATTERNS[operator];
  if (pattern !== undefined) return sql(`${left} ${pattern} ${mark}`, [value]);
  const texts =
    condition.children.length > 0 ? condition.children.map(({ text }) => text) : [value];
  const cells = texts.map((text) => cellOf(table, column, literal(column, text)));
  const list = LISTS[operator];
  if (list !== undefined) {
    return sql(`${left} ${list} (${cells.map(() => mark).join(", ")})`, cells);
  }
  const symbol = COMPARISONS[operator];
  if (symbol === undefined) throw notImplemented(`The operator ${operator} of FetchXML`);
  return sql(`${left} ${symbol} ${mark}`, cells.slice(0, 1));
}

/** The text of a value as a body would have it. */
function literal(column: Column, text: string): unknown {
  if (column.type === "Boolean") return text === "1" || text === "true";
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  return isNumber && !("lengthMax" in column) ? Number(text) : text;
}

export function requireColumn(table: Table, name: string): Column {
  const column = table.column(name);
  if (column !== undefined) return column;
  throw badQuery(`Could not find a column named '${name}' on ${table.logicalName}.`);
}
