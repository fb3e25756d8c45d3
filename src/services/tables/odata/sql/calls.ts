import { badQuery } from "../../protocol/refusals.ts";
import { joined, sql, type Sql } from "../../storage/sql.ts";
import type { CallNode } from "../syntax/ast.ts";
import type { Scope } from "./scope.ts";
import { filled } from "./template.ts";
import { asReal, asWhole, computed, folded, parameter } from "./value.ts";
import type { Value, ValueType } from "./value.ts";

const PREDICATES: ReadonlySet<string> = new Set(["contains", "endswith", "startswith"]);

/** Whether a function answers true or false. */
export function isPredicate(name: string): boolean {
  return PREDICATES.has(name);
}

/** `contains`, `startswith` and `endswith`: without regard to case, every character as it is. */
export function predicate(scope: Scope, call: CallNode): Sql {
  const { dialect } = scope.querying;
  const [whole, part] = argumentsOf(scope, call, ["text", "text"]);
  if (whole === undefined || part?.literal === undefined) {
    throw badQuery(`Expected a text as second argument of ${call.name} at position ${call.at}.`);
  }
  return likeText(whole, call.name, part.literal.value, dialect);
}

type Dialect = Scope["querying"]["dialect"];

/** A text that contains, begins or ends with another. */
export function likeText(whole: Value, how: string, part: string, dialect: Dialect): Sql {
  const escaped = part.replaceAll(/[\\%_]/g, "\\$&");
  const before = how === "startswith" ? "" : "%";
  const after = how === "endswith" ? "" : "%";
  const pattern = parameter(`${before}${escaped}${after}`, dialect);
  const left = dialect === "sqlite" ? whole.sql : folded(whole, dialect);
  const right = dialect === "sqlite" ? pattern : sql(`lower(${pattern.text})`, pattern.values);
  const { text, values } = joined([left, right], " like ");
  return sql(`${text} escape '\\'`, values);
}

type Compile = (args: readonly Sql[], dialect: Dialect) => Sql;

interface Function {
  readonly takes: readonly ValueType[];
  /** How many of the last arguments may be left out. */
  readonly optional?: number;
  readonly answers: ValueType;
  readonly compile: Compile;
}

function template(text: string): Compile {
  return (args) => filled(text, args);
}

/** A part of a time, which is kept as `2026-01-31T10:20:30Z`. */
function timePart(start: number, length: number): Compile {
  const cut = template(`substr($1, ${start}, ${length})`);
  return (args, dialect) => asWhole(cut(args, dialect), dialect);
}

const length = template("length($1)");
const rounded = template("floor($1 + 0.5)");
const position = {
  postgres: template("strpos(lower($1), lower($2)) - 1"),
  sqlite: template("instr(lower($1), lower($2)) - 1"),
} as const;

const text: readonly ValueType[] = ["text"];
const day: readonly ValueType[] = ["date"];
const time: readonly ValueType[] = ["time"];
const number: readonly ValueType[] = ["number"];

const FUNCTIONS: Readonly<Record<string, Function>> = {
  tolower: { takes: text, answers: "text", compile: template("lower($1)") },
  toupper: { takes: text, answers: "text", compile: template("upper($1)") },
  trim: { takes: text, answers: "text", compile: template("trim($1)") },
  concat: { takes: ["text", "text"], answers: "text", compile: template("($1 || $2)") },
  substring: {
    takes: ["text", "number", "number"],
    optional: 1,
    answers: "text",
    compile: (args, dialect) => substring(args, dialect),
  },
  length: {
    takes: text,
    answers: "number",
    compile: (args, dialect) => asWhole(length(args, dialect), dialect),
  },
  indexof: {
    takes: ["text", "text"],
    answers: "number",
    compile: (args, dialect) => asWhole(position[dialect](args, dialect), dialect),
  },
  year: { takes: day, answers: "number", compile: timePart(1, 4) },
  month: { takes: day, answers: "number", compile: timePart(6, 2) },
  day: { takes: day, answers: "number", compile: timePart(9, 2) },
  hour: { takes: time, answers: "number", compile: timePart(12, 2) },
  minute: { takes: time, answers: "number", compile: timePart(15, 2) },
  second: { takes: time, answers: "number", compile: timePart(18, 2) },
  date: { takes: day, answers: "date", compile: template("substr($1, 1, 10)") },
  round: { takes: number, answers: "number", compile: real(rounded) },
  floor: { takes: number, answers: "number", compile: real(template("floor($1)")) },
  ceiling: { takes: number, answers: "number", compile: real(template("ceil($1)")) },
};

function real(compile: Compile): Compile {
  return (args, dialect) =>
    compile(
      args.map((arg) => asReal(arg, dialect)),
      dialect,
    );
}

/** Positions begin with 0; what is before the text or after it is empty. */
function substring([whole, start, count]: readonly Sql[], dialect: Dialect): Sql {
  const greatest = dialect === "sqlite" ? "max" : "greatest";
  const from = template(`${greatest}($1, 0) + 1`)([asWhole(start ?? sql("0"), dialect)], dialect);
  const args = [whole ?? sql("null"), asWhole(from, dialect)];
  // Postgres counts with 32 bits here.
  const cut = dialect === "sqlite" ? "$2" : "cast(least($2, 2147483647) as integer)";
  if (count === undefined) return template(`substr($1, ${cut})`)(args, dialect);
  const size = template(`${greatest}($1, 0)`)([asWhole(count, dialect)], dialect);
  const length32 = dialect === "sqlite" ? "$3" : "cast(least($3, 1000000) as integer)";
  return template(`substr($1, ${cut}, ${length32})`)([...args, size], dialect);
}

/** A function that answers a value. */
export function compileCall(scope: Scope, call: CallNode): Value {
  const { querying } = scope;
  const { name, at } = call;
  if (name === "now" && call.args.length === 0) {
    const now = `${querying.now.toISOString().slice(0, 19)}Z`;
    return computed("time", parameter(now, querying.dialect), at);
  }
  const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (known === undefined) {
    throw badQuery(`The function '${name}' at position ${at} is not supported.`);
  }
  const args = argumentsOf(scope, call, known.takes, known.optional);
  const piece = known.compile(
    args.map((arg) => arg.sql),
    querying.dialect,
  );
  return computed(known.answers, piece, at);
}

function argumentsOf(
  scope: Scope,
  { name, args, at }: CallNode,
  takes: readonly ValueType[],
  optional = 0,
): readonly Value[] {
  if (args.length > takes.length || args.length < takes.length - optional) {
    throw badQuery(
      `The function '${name}' at position ${at} takes ${takes.length} arguments, ` +
        `not ${args.length}.`,
    );
  }
  return args.map((arg, index) => {
    const value = scope.querying.compiler.value(scope, arg);
    const expected = takes[index];
    const isDay = expected === "date" && value.type === "time";
    if (value.type === expected || isDay) return value;
    throw badQuery(`Expected a ${expected} at position ${value.at}, for '${name}'.`);
  });
}
