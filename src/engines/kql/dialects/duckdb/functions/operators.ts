import type { KqlType } from "../../../types.ts";
import { NOW, SQL_TYPES, TICKS_MAX, withinCalendar, wrapLong, type Sql } from "../sql.ts";
import { arg, type Emitter, type EmitterTable } from "./emitter.ts";

export const operators: EmitterTable = {
  "+": (args, type) => arithmetic("+", args, type),
  "-": (args, type) => arithmetic("-", args, type),
  "*": (args, type) => multiply(arg(args, 0), arg(args, 1), type),
  "/": (args, type) => divide(arg(args, 0), arg(args, 1), type),
  "%": (args, type) => modulo(arg(args, 0), arg(args, 1), type),
  negate: ([value], type) =>
    type === "long" && value !== undefined
      ? `coalesce(try(-(${value.text})), ${value.text})`
      : `(-(${value?.text ?? ""}))`,
  and: (args) => `(${args.map(({ text }) => text).join(" AND ")})`,
  or: (args) => `(${args.map(({ text }) => text).join(" OR ")})`,
  not: ([value]) => `(NOT ${value?.text ?? ""})`,
  binary_and: bits("&"),
  binary_or: bits("|"),
  binary_xor: ([a, b]) => `xor(${a?.text ?? ""}, ${b?.text ?? ""})`,
  binary_not: ([a]) => `(~(${a?.text ?? ""}))`,
  binary_shift_left: (args) => shift("<<", args),
  binary_shift_right: (args) => shift(">>", args),
  bitset_count_ones: ([a]) => `CAST(bit_count(${a?.text ?? ""}) AS BIGINT)`,
};

function bits(sign: string): Emitter {
  return ([a, b]) => `(${a?.text ?? ""} ${sign} ${b?.text ?? ""})`;
}

// Bits that leave the 64 are lost, as in the service; DuckDB refuses such a shift.
function shift(sign: string, args: readonly Sql[]): string {
  const [a, b] = [arg(args, 0).text, `(${arg(args, 1).text} % 64)`];
  if (sign === ">>") return `((${a}) >> ${b})`;
  return wrapLong(`(${a})::HUGEINT * (1::HUGEINT << CAST(${b} AS HUGEINT))`);
}

function isWhole(type: KqlType): boolean {
  return type === "int" || type === "long" || type === "datetime" || type === "timespan";
}

/** Sums and differences; whole numbers wrap around where they overflow. */
function arithmetic(sign: "+" | "-", args: readonly Sql[], type: KqlType): string {
  const [a, b] = [arg(args, 0), arg(args, 1)];
  if (type === "real") return `(${double(a)} ${sign} ${double(b)})`;
  if (type === "decimal") return `(${decimal(a)} ${sign} ${decimal(b)})`;
  const [x, y] = [long(a), long(b)];
  if (type === "datetime") {
    // DuckDB computes a moment once only without `try`, and skips rows only by such a moment.
    const sum = `${x} ${sign} ${y}`;
    return withinCalendar(isKnownTime(a) && isKnownTime(b) ? `(${sum})` : `try(${sum})`);
  }
  const wrapped = wrapLong(`(${x})::HUGEINT ${sign} (${y})::HUGEINT`);
  return narrowed(`coalesce(try(${x} ${sign} ${y}), ${wrapped})`, type);
}

/** Whether two of these cannot overflow: a datetime literal, `now()`, or a timespan of its size. */
function isKnownTime({ text, constant }: Sql): boolean {
  const value = constant?.value;
  if (typeof value !== "bigint") return text === NOW;
  return value <= TICKS_MAX && value >= -TICKS_MAX;
}

function multiply(a: Sql, b: Sql, type: KqlType): string {
  if (type === "real") return `(${double(a)} * ${double(b)})`;
  if (type === "timespan") return timespanTimes(a, b);
  if (type === "decimal") return `CAST(${double(a)} * ${double(b)} AS DECIMAL(38,18))`;
  const [x, y] = [long(a), long(b)];
  const wrapped = wrapLong(`((${x})::HUGEINT * (${y})::HUGEINT)`);
  return narrowed(`coalesce(try(${x} * ${y}), ${wrapped})`, type);
}

function timespanTimes(a: Sql, b: Sql): string {
  if (isWhole(a.type) && isWhole(b.type)) return `try(${long(a)} * ${long(b)})`;
  return `TRY_CAST(trunc(${double(a)} * ${double(b)}) AS BIGINT)`;
}

/** Whole numbers truncate, and give null by zero; reals give infinity. */
function divide(a: Sql, b: Sql, type: KqlType): string {
  if (type === "real") return `(${double(a)} / ${double(b)})`;
  if (type === "decimal") {
    return `CAST(${double(a)} / nullif(${double(b)}, 0) AS DECIMAL(38,18))`;
  }
  if (type === "timespan" && !isWhole(b.type)) {
    return `TRY_CAST(trunc(${double(a)} / ${double(b)}) AS BIGINT)`;
  }
  return narrowed(`try(${long(a)} // ${long(b)})`, type);
}

/** The remainder is never negative. */
function modulo(a: Sql, b: Sql, type: KqlType): string {
  const [x, y] = type === "real" ? [double(a), double(b)] : [long(a), long(b)];
  return narrowed(`(((${x}) % (${y})) + abs(${y})) % abs(${y})`, type);
}

function narrowed(text: string, type: KqlType): string {
  return type === "int" ? `TRY_CAST(${text} AS INTEGER)` : `(${text})`;
}

export function double(value: Sql): string {
  return value.type === "real" ? value.text : `CAST(${numeric(value)} AS DOUBLE)`;
}

function decimal(value: Sql): string {
  if (value.type === "decimal") return value.text;
  return `CAST(${numeric(value)} AS ${SQL_TYPES.decimal})`;
}

function long(value: Sql): string {
  return isWhole(value.type) && value.type !== "int"
    ? value.text
    : `CAST(${numeric(value)} AS BIGINT)`;
}

// A dynamic takes part with the number that it holds; anything else in it is null.
function numeric(value: Sql): string {
  if (value.type !== "dynamic") return value.text;
  return `TRY_CAST(${value.text} AS DOUBLE)`;
}
