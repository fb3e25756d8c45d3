import { KQL_TYPES, type KqlColumn, type KqlType } from "#engines/kql/types.ts";
import { timespanText } from "../protocol/durations.ts";
import { timeText } from "../protocol/result.ts";

/**
 * A cell of a command's result: what is not there is null; a time is a date, or ticks as a bigint;
 * a time span is in milliseconds; a dynamic value is any JSON.
 */
export type Cell = null | string | number | bigint | boolean | Date | object;

/** What a command answers. */
export interface CommandResult {
  readonly columns: readonly KqlColumn[];
  readonly rows: readonly (readonly Cell[])[];
}

/** `Name, IsCurrent:bool, StartedOn:datetime`: a column without a type is a string. */
export function columnsOf(text: string): readonly KqlColumn[] {
  return text.split(",").map((one) => {
    const [name = "", type = "string"] = one.trim().split(":");
    if (!isType(type)) throw new Error(`${type} is no type of a column`);
    return { name, type };
  });
}

function isType(text: string): text is KqlType {
  return KQL_TYPES.some((type) => type === text);
}

/** The rows as JSON texts. */
export function rowTexts({ columns, rows }: CommandResult): string[] {
  return rows.map((row) => `[${columns.map((column, at) => cellText(row[at], column)).join(",")}]`);
}

function cellText(cell: Cell | undefined, { type }: KqlColumn): string {
  const missing = type === "string" ? '""' : "null";
  if (cell === null || cell === undefined) return missing;
  if (type === "dynamic") return JSON.stringify(JSON.stringify(cell));
  if (type === "timespan" && typeof cell === "number") return JSON.stringify(timespanText(cell));
  if (cell instanceof Date) return JSON.stringify(timeText(cell));
  if (typeof cell === "bigint") return type === "datetime" ? `"${ticksText(cell)}"` : `${cell}`;
  return JSON.stringify(cell);
}

const EPOCH_TICKS = 621_355_968_000_000_000n;
const TICKS_PER_MS = 10_000n;

function ticksText(ticks: bigint): string {
  const sinceEpoch = ticks - EPOCH_TICKS;
  const date = new Date(Number(sinceEpoch / TICKS_PER_MS));
  const digits = String(sinceEpoch % TICKS_PER_MS).padStart(4, "0");
  return `${date.toISOString().slice(0, -1)}${digits}Z`;
}

/** The result as an expression of the language, to be piped into a query. */
export function asDatatable({ columns, rows }: CommandResult): string {
  const header = columns.map(({ name, type }) => `${quotedName(name)}:${type}`).join(", ");
  const cells = rows.flatMap((row) => columns.map((column, at) => literal(row[at], column)));
  return `datatable(${header})[${cells.join(",")}]`;
}

function literal(cell: Cell | undefined, column: KqlColumn): string {
  const { type } = column;
  if (cell === null || cell === undefined) return type === "string" ? '""' : `${type}(null)`;
  if (type === "string") return JSON.stringify(cell);
  if (type === "dynamic") return `dynamic(${JSON.stringify(cell)})`;
  const text = cellText(cell, column).replace(/^"(.*)"$/, "$1");
  return `${type === "timespan" ? "time" : type}(${text})`;
}

/** A name as it has to be written in a query. */
export function quotedName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `['${name.replaceAll(/[\\']/g, "\\$&")}']`;
}
