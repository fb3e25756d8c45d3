import { Problem } from "#platform/problem.ts";
import type {
  BooleanColumn,
  Column,
  DateTimeColumn,
  DecimalColumn,
  IntegerColumn,
  Option,
  TextColumn,
} from "../definitions/types.ts";
import type { Table } from "../definitions/table.ts";
import { guidOf } from "../protocol/path.ts";
import { badArgument, badBody, CODES, shown } from "../protocol/refusals.ts";
import type { Cell } from "../storage/sql.ts";

const FIRST_YEAR = 1753;
const ISO_TIME = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d)?(?:\.\d{1,7})?(Z|[+-]\d\d:\d\d)?)?$/;

/** A value of a body as the column keeps it; refuses what the column cannot hold. */
export function cellOf(table: Table, column: Column, value: unknown): Cell {
  if (value === null) return null;
  if ("lengthMax" in column) return textCell(column, value);
  if ("precision" in column) return decimalCell(column, value);
  if ("min" in column) return integerCell(column, value);
  if (column.type === "Boolean") return booleanCell(column, value);
  if (column.type === "DateTime") return timeCell(column, value);
  const options = optionsOf(table, column);
  if (options.length > 0) return optionCell(column, value, options);
  if (column.type !== "EntityName") return guidCell(column, value);
  if (typeof value !== "string") throw wrongType(column, "a text", value);
  return value;
}

/** The values that a choice column can have. */
export function optionsOf({ states }: Table, column: Column): readonly Option[] {
  if (column.type === "Picklist") return column.options;
  if (column.type === "State") return states;
  return column.type === "Status" ? states.flatMap(({ statuses }) => statuses) : [];
}

function textCell(column: TextColumn, value: unknown): string {
  if (typeof value !== "string") throw wrongType(column, "a text", value);
  if (value.length > column.lengthMax) {
    throw new Problem(
      400,
      CODES.TextTooLong,
      `The text of ${column.logicalName} has ${value.length} characters; ` +
        `at most ${column.lengthMax} are allowed.`,
    );
  }
  if (value.includes("\0") || !value.isWellFormed()) {
    throw badArgument(`The text of ${column.logicalName} has a character that cannot be stored.`);
  }
  return value;
}

function integerCell(column: IntegerColumn, value: unknown): number {
  const number = column.type === "BigInt" && typeof value === "string" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isInteger(number)) {
    throw wrongType(column, "a whole number", value);
  }
  return inRange(column, number);
}

function decimalCell(column: DecimalColumn, value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw wrongType(column, "a number", value);
  }
  return Number(inRange(column, value).toFixed(column.precision));
}

function inRange(column: DecimalColumn | IntegerColumn, value: number): number {
  const { min, max, logicalName } = column;
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
  if (value >= min && value <= max && isExact) return value;
  throw new Problem(
    400,
    CODES.NumberOutOfRange,
    `The value ${value} of ${logicalName} is not between ${min} and ${max}.`,
  );
}

function booleanCell(column: BooleanColumn, value: unknown): number {
  if (typeof value !== "boolean") throw wrongType(column, "true or false", value);
  return value ? 1 : 0;
}

function optionCell(column: Column, value: unknown, options: readonly Option[]): number {
  if (typeof value !== "number" || !Number.isInteger(value)) {
    throw wrongType(column, "the whole number of a choice", value);
  }
  if (options.some((option) => option.value === value)) return value;
  const known = options.map((option) => `${option.value} (${option.label})`).join(", ");
  throw new Problem(
    400,
    CODES.OptionOutOfRange,
    `The value ${value} of ${column.logicalName} is not one of its choices: ${known}.`,
  );
}

function guidCell(column: Column, value: unknown): string {
  const guid = typeof value === "string" ? guidOf(value) : undefined;
  if (guid === undefined) throw wrongType(column, "a GUID", value);
  return guid;
}

function timeCell(column: DateTimeColumn, value: unknown): string {
  const isDay = column.behavior === "DateOnly";
  const [day, time] = typeof value === "string" ? partsOf(value) : [];
  if (day === undefined || time === undefined) {
    const what = isDay ? "a date such as 2026-01-31" : "a date and time in ISO 8601";
    throw wrongType(column, what, value);
  }
  if (Number(day.slice(0, 4)) < FIRST_YEAR) {
    throw badArgument(
      `The value ${shown(value)} of ${column.logicalName} is before the year ${FIRST_YEAR}.`,
    );
  }
  return isDay ? day : `${time.toISOString().slice(0, 19)}Z`;
}

/** The day as written and the moment; nothing when there is no such day or time. */
function partsOf(text: string): [day: string, time: Date] | [] {
  const [whole, day = "", minutes, seconds = ":00", zone = "Z"] = ISO_TIME.exec(text) ?? [];
  if (whole === undefined) return [];
  const midnight = new Date(`${day}T00:00:00Z`);
  const time = minutes === undefined ? midnight : new Date(`${day}T${minutes}${seconds}${zone}`);
  if (Number.isNaN(midnight.getTime()) || Number.isNaN(time.getTime())) return [];
  // A day that the month does not have moves on to the next one.
  return midnight.toISOString().startsWith(day) ? [day, time] : [];
}

function wrongType(column: Column, expected: string, value: unknown): Problem {
  return badBody(`The value ${shown(value)} of ${column.logicalName} is not ${expected}.`);
}
