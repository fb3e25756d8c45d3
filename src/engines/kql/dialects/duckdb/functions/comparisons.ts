import type { Sql } from "../sql.ts";
import { textOf, unwrappedSql } from "../texts.ts";
import { arg, type EmitterTable } from "./emitter.ts";
import { double } from "./operators.ts";

export const comparisons: EmitterTable = {
  "==": (args) => equal(arg(args, 0), arg(args, 1)),
  "!=": (args) => unequal(arg(args, 0), arg(args, 1)),
  // Keys of joins match null with null.
  join_equal: ([a, b]) => {
    const sign = a?.isNullable === true || b?.isNullable === true ? "IS NOT DISTINCT FROM" : "=";
    return `(${a?.text ?? ""} ${sign} ${b?.text ?? ""})`;
  },
  join_equal_plain: ([a, b]) => `(${a?.text ?? ""} = ${b?.text ?? ""})`,
  "<": (args) => ordered("<", arg(args, 0), arg(args, 1)),
  "<=": (args) => ordered("<=", arg(args, 0), arg(args, 1)),
  ">": (args) => ordered(">", arg(args, 0), arg(args, 1)),
  ">=": (args) => ordered(">=", arg(args, 0), arg(args, 1)),
  "=~": (args) => `(${lowered(arg(args, 0))} = ${lowered(arg(args, 1))})`,
  "!~": (args) => `(${lowered(arg(args, 0))} <> ${lowered(arg(args, 1))})`,
  between: (args) => between(args),
  "!between": (args) => `(NOT ${between(args)})`,
  in: (args) => member(args, (value) => value),
  "!in": (args) => `(NOT ${member(args, (value) => value)})`,
  "in~": (args) => member(args, loweredSql),
  "!in~": (args) => `(NOT ${member(args, loweredSql)})`,
};

/** The same as the comparisons, where NULL may stand for false: conditions that pick rows. */
export const filterComparisons: EmitterTable = {
  "==": (args) => {
    const [a, b] = comparable(arg(args, 0), arg(args, 1));
    return `(${a.text} = ${b.text}${nanGuard(a, b)})`;
  },
  "!=": (args) => {
    const [a, b] = comparable(arg(args, 0), arg(args, 1));
    const sign = a.isNullable || b.isNullable ? "IS DISTINCT FROM" : "<>";
    return `(${a.text} ${sign} ${b.text}${nanGuardNot(a, b)})`;
  },
  in: (args) => memberPlain(args, (value) => value),
  "in~": (args) => memberPlain(args, loweredSql),
};

/** With one null: false. With two: null. */
function equal(left: Sql, right: Sql): string {
  const [a, b] = comparable(left, right);
  const plain = `(${a.text} = ${b.text}${nanGuard(a, b)})`;
  if (!a.isNullable && !b.isNullable) return plain;
  if (!a.isNullable || !b.isNullable) return `coalesce(${plain}, false)`;
  return unlessBothNull(a, b, `coalesce(${plain}, false)`);
}

function unequal(left: Sql, right: Sql): string {
  const [a, b] = comparable(left, right);
  const plain = `(${a.text} <> ${b.text}${nanGuardNot(a, b)})`;
  if (!a.isNullable && !b.isNullable) return plain;
  if (!a.isNullable || !b.isNullable) return `coalesce(${plain}, true)`;
  return unlessBothNull(a, b, `coalesce(${plain}, true)`);
}

function unlessBothNull(a: Sql, b: Sql, text: string): string {
  return `CASE WHEN ${a.text} IS NULL AND ${b.text} IS NULL THEN NULL ELSE ${text} END`;
}

// DuckDB sorts NaN above everything; in the language no comparison with it holds.
function ordered(sign: string, left: Sql, right: Sql): string {
  const [a, b] = comparable(left, right);
  const greater = sign.startsWith(">") ? a : b;
  const guard = mayBeNan(greater) ? ` AND NOT isnan(${greater.text})` : "";
  return `(${a.text} ${sign} ${b.text}${guard})`;
}

function nanGuard(a: Sql, b: Sql): string {
  return mayBeNan(a) && mayBeNan(b) ? ` AND NOT isnan(${a.text})` : "";
}

function nanGuardNot(a: Sql, b: Sql): string {
  return mayBeNan(a) && mayBeNan(b) ? ` OR (isnan(${a.text}) AND isnan(${b.text}))` : "";
}

function mayBeNan(value: Sql): boolean {
  return value.type === "real" && !Number.isFinite(value.constant?.value);
}

const NUMBERS = new Set(["int", "long", "real", "decimal"]);

/** Both sides in one type: a dynamic takes that of the other side. */
function comparable(a: Sql, b: Sql): readonly [Sql, Sql] {
  if (a.type === b.type) return [a, b];
  if (a.type === "dynamic") return [dynamicAs(a, b), b.type === "decimal" ? asDouble(b) : b];
  if (b.type === "dynamic") return [a.type === "decimal" ? asDouble(a) : a, dynamicAs(b, a)];
  if (a.type === "decimal" || b.type === "decimal") return [asDouble(a), asDouble(b)];
  return [a, b];
}

function asDouble(value: Sql): Sql {
  return { ...value, text: double(value), type: "real" };
}

function dynamicAs(value: Sql, other: Sql): Sql {
  const { text } = value;
  if (NUMBERS.has(other.type)) {
    return { text: `TRY_CAST(${text} AS DOUBLE)`, type: "real", isNullable: true };
  }
  if (other.type === "bool") {
    return { text: `TRY_CAST(${text} AS BOOLEAN)`, type: "bool", isNullable: true };
  }
  const unwrappedText = `coalesce(${unwrappedSql(value)}, '')`;
  if (other.type === "datetime" || other.type === "timespan") {
    const name = other.type === "datetime" ? "todatetime" : "totimespan";
    return { text: `kql_${name}_0(${unwrappedText})`, type: other.type, isNullable: true };
  }
  return { text: unwrappedText, type: "string", isNullable: false };
}

export function lowered(value: Sql): string {
  const constant = value.constant?.value;
  if (typeof constant === "string" && isAscii(constant)) return value.text.toLowerCase();
  return `lower(${textOf(value)})`;
}

function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\u0000-\u007f]*$/.test(text);
}

function loweredSql(value: Sql): Sql {
  return { ...value, text: lowered(value), type: "string" };
}

function between(args: readonly Sql[]): string {
  const [value, low, high] = [arg(args, 0), arg(args, 1), arg(args, 2)];
  return `(${ordered(">=", value, low)} AND ${ordered("<=", value, high)})`;
}

function member(args: readonly Sql[], map: (value: Sql) => Sql): string {
  const plain = memberPlain(args, map);
  return arg(args, 0).isNullable || args.some((one) => one.isNullable)
    ? `coalesce(${plain}, false)`
    : plain;
}

/** `x in (a, b, …)`: elements of dynamic arrays count one by one. */
function memberPlain([value, ...set]: readonly Sql[], map: (value: Sql) => Sql): string {
  if (value === undefined || set.length === 0) return "false";
  const arrays = set.filter(({ type }) => type === "dynamic");
  const singles = set.filter(({ type }) => type !== "dynamic");
  const tests = arrays.map(
    (array) => `list_contains(json_extract_string(${array.text}, '$[*]'), ${textOf(map(value))})`,
  );
  if (singles.length > 0) {
    const converted = singles.map((one) => comparable(value, one));
    const left = map(converted[0]?.[0] ?? value).text;
    tests.push(`(${left} IN (${converted.map(([, one]) => map(one).text).join(", ")}))`);
  }
  return tests.length === 1 ? (tests[0] ?? "false") : `(${tests.join(" OR ")})`;
}
