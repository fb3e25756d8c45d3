import { KqlError } from "../kql-error.ts";
import {
  isTabular,
  kindOf,
  nameOf,
  part,
  parts,
  positionOf,
  symbolClass,
  textOf,
  type SyntaxNode,
} from "../language/syntax.ts";
import { call, cast, literal, type Scalar } from "../plan/scalar.ts";
import type { KqlType } from "../types.ts";
import { translateCall } from "./calls.ts";
import { literalOf } from "./literals.ts";
import { scalarSubquery, setSubquery } from "./subqueries.ts";
import {
  findColumn,
  use,
  type Scope,
  type Table,
  type Translation,
  translateScalar,
  unsupported,
} from "./translation.ts";
import { typeOf } from "./types.ts";

/** Binary operators by the kind of their node, and the sign that plans know them by. */
const BINARY: Readonly<Record<string, string>> = {
  AddExpression: "+",
  SubtractExpression: "-",
  MultiplyExpression: "*",
  DivideExpression: "/",
  ModuloExpression: "%",
  LessThanExpression: "<",
  LessThanOrEqualExpression: "<=",
  GreaterThanExpression: ">",
  GreaterThanOrEqualExpression: ">=",
  EqualExpression: "==",
  NotEqualExpression: "!=",
  EqualTildeExpression: "=~",
  BangTildeExpression: "!~",
  AndExpression: "and",
  OrExpression: "or",
  MatchesRegexExpression: "matches regex",
  SearchExpression: "has",
};

/** The parser's names of `in` and `in~` are the wrong way round. */
const MEMBERSHIP: Readonly<Record<string, string>> = {
  InExpression: "in",
  InCsExpression: "in~",
  NotInExpression: "!in",
  NotInCsExpression: "!in~",
  HasAnyExpression: "has_any",
  HasAllExpression: "has_all",
};

const TEXT_TESTS =
  /^(?<not>Not)?(?<name>Has|HasPrefix|HasSuffix|Contains|StartsWith|EndsWith)(?<cs>Cs)?Expression$/;

type Translate = (node: SyntaxNode, scope: Scope, state: Translation) => Scalar;

/** A bound scalar expression as plan. */
export function scalarOf(node: SyntaxNode, scope: Scope, state: Translation): Scalar {
  const found = literalOf(node);
  if (found !== undefined) return found;
  const kind = kindOf(node);
  const translate = Object.hasOwn(EXPRESSIONS, kind) ? EXPRESSIONS[kind] : undefined;
  return translate?.(node, scope, state) ?? translateOperator(node, kind, scope, state);
}

const ofWithin: Translate = (node, scope, state) => {
  return translateScalar(part(node, "Expression"), scope, state);
};

const EXPRESSIONS: Readonly<Record<string, Translate>> = {
  ParenthesizedExpression: ofWithin,
  SimpleNamedExpression: ofWithin,
  CompoundNamedExpression: ofWithin,
  UnaryPlusExpression: ofWithin,
  UnaryMinusExpression: (node, scope, state) => negated(ofWithin(node, scope, state), typeOf(node)),
  NameReference: translateName,
  BetweenExpression: translateBetween,
  NotBetweenExpression: translateBetween,
  PathExpression: translatePath,
  ElementExpression: translateElement,
  FunctionCallExpression: translateCall,
  ToScalarExpression: (node, _scope, state) =>
    scalarSubquery(part(node, "Expression"), typeOf(node), state),
  TypeOfLiteralExpression: (node) => literal("string", textOf(node)),
};

function translateOperator(
  node: SyntaxNode,
  kind: string,
  scope: Scope,
  state: Translation,
): Scalar {
  const sign = BINARY[kind];
  if (sign !== undefined) return translateBinary(node, sign, scope, state);
  const membership = MEMBERSHIP[kind];
  if (membership !== undefined) return translateMembership(node, membership, scope, state);
  const groups = TEXT_TESTS.exec(kind)?.groups;
  if (groups !== undefined) {
    const suffix = groups["cs"] === undefined ? "" : "_cs";
    const name = `${(groups["name"] ?? "").toLowerCase()}${suffix}`;
    const test = translateBinary(node, name, scope, state);
    return groups["not"] === undefined ? test : call("not", "bool", test);
  }
  throw unsupported(node, `The expression ${textOf(node)} is not supported yet.`);
}

function negated(value: Scalar, type: KqlType): Scalar {
  if (value.kind === "literal" && value.value !== null) {
    if (typeof value.value === "bigint") return literal(type, BigInt.asIntN(64, -value.value));
    if (typeof value.value === "number") return literal(type, -value.value);
  }
  return call("negate", type, value);
}

function translateName(node: SyntaxNode, scope: Scope, state: Translation): Scalar {
  const name = nameOf(node);
  const symbol = node.ReferencedSymbol;
  if (symbolClass(node) !== "ColumnSymbol" && symbol !== null && symbol !== undefined) {
    const binding = state.bindings.get(symbol);
    if (binding?.kind === "scalar") return binding.value;
    if (symbolClass(node) === "FunctionSymbol") return translateCall(node, scope, state);
  }
  const column = scope.table === undefined ? undefined : findColumn(scope.table, name);
  if (column !== undefined) return use(column);
  throw new KqlError("semantic", `The name '${name}' does not refer to any known column.`, {
    position: positionOf(node),
    code: "SEM0100",
  });
}

const COMPARISONS = new Set(["==", "!=", "<", "<=", ">", ">="]);

function translateBinary(node: SyntaxNode, sign: string, scope: Scope, state: Translation): Scalar {
  const left = part(node, "Left");
  const right = part(node, "Right");
  if (kindOf(left) === "StarExpression") {
    return anyColumn(scope, (column) =>
      call(sign, "bool", column, translateScalar(right, scope, state)),
    );
  }
  const [a, b] = [translateScalar(left, scope, state), translateScalar(right, scope, state)];
  if (COMPARISONS.has(sign)) requireComparable(a, b, node, sign);
  if (sign === "and" || sign === "or") {
    return call(sign, "bool", cast(a, "bool"), cast(b, "bool"));
  }
  return call(sign, typeOf(node), a, b);
}

/** `* has "x"`: any column of text (the language looks into every column's text). */
function anyColumn(scope: Scope, test: (column: Scalar) => Scalar): Scalar {
  const columns = scope.table?.columns ?? [];
  const [first, ...rest] = columns.map((column) => test(cast(use(column), "string")));
  if (first === undefined) return literal("bool", false);
  return rest.length === 0
    ? first
    : { kind: "call", name: "or", args: [first, ...rest], type: "bool" };
}

/** Types whose values can be compared with each other. */
const COMPARABLE: readonly ReadonlySet<KqlType>[] = [
  new Set(["int", "long", "real", "decimal", "datetime", "timespan"]),
  new Set(["int", "long", "real", "decimal", "bool"]),
];

// The binder lets `where StringColumn == 5` pass; the service does not.
function requireComparable(a: Scalar, b: Scalar, node: SyntaxNode, sign: string): void {
  if (a.type === b.type || a.type === "dynamic" || b.type === "dynamic") return;
  if (COMPARABLE.some((types) => types.has(a.type) && types.has(b.type))) return;
  throw new KqlError(
    "semantic",
    `Cannot compare values of types ${a.type} and ${b.type}. Try adding explicit casts (${sign}).`,
    { code: "SEM0064", position: positionOf(node) },
  );
}

function translateBetween(node: SyntaxNode, scope: Scope, state: Translation): Scalar {
  const couple = part(node, "Right");
  const value = translateScalar(part(node, "Left"), scope, state);
  const low = translateScalar(part(couple, "First"), scope, state);
  const end = translateScalar(part(couple, "Second"), scope, state);
  // `t between (start .. 7d)`: the end is as far from the start.
  const high =
    end.type === "timespan" && low.type === "datetime" ? call("+", "datetime", low, end) : end;
  const name = kindOf(node) === "BetweenExpression" ? "between" : "!between";
  return call(name, "bool", value, low, high);
}

function translateMembership(
  node: SyntaxNode,
  name: string,
  scope: Scope,
  state: Translation,
): Scalar {
  const left = part(node, "Left");
  const members = parts(part(node, "Right"), "Expressions");
  const [only] = members;
  const test = (value: Scalar): Scalar => {
    if (members.length === 1 && only !== undefined && isTabular(only)) {
      return call(name, "bool", value, setSubquery(only, state));
    }
    const set = members.map((member) => translateScalar(member, scope, state));
    return { kind: "call", name, args: [value, ...set], type: "bool" };
  };
  if (kindOf(left) === "StarExpression") return anyColumn(scope, test);
  return test(translateScalar(left, scope, state));
}

/** `d.name`, or a column of one side of a join. */
function translatePath(node: SyntaxNode, scope: Scope, state: Translation): Scalar {
  const target = part(node, "Expression");
  const selector = part(node, "Selector");
  const name = kindOf(selector) === "NameReference" ? nameOf(selector) : undefined;
  if (kindOf(target) === "NameReference" && name !== undefined) {
    const row = namedRow(nameOf(target), scope);
    const column = row === undefined ? undefined : findColumn(row, name);
    if (column !== undefined) return use(column);
  }
  const value = translateScalar(target, scope, state);
  if (name !== undefined) return call("path", "dynamic", value, literal("string", name));
  return call("path", "dynamic", value, keyOf(selector, scope, state));
}

/** What `$left` or the name of a step stands for: a row of a table. */
function namedRow(name: string, { sides, rows }: Scope): Table | undefined {
  if (sides !== undefined && name === "$left") return sides.left;
  if (sides !== undefined && name === "$right") return sides.right;
  return rows?.get(name);
}

function translateElement(node: SyntaxNode, scope: Scope, state: Translation): Scalar {
  const value = translateScalar(part(node, "Expression"), scope, state);
  return call("path", "dynamic", value, keyOf(part(node, "Selector"), scope, state));
}

function keyOf(selector: SyntaxNode, scope: Scope, state: Translation): Scalar {
  const inner = kindOf(selector).startsWith("Bracketed") ? part(selector, "Expression") : selector;
  return translateScalar(inner, scope, state);
}
