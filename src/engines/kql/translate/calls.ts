import { argumentsOf, typeLiteral } from "./call-parts.ts";
import { KqlError } from "../kql-error.ts";
import { calledBody, nameOf, symbolClass, type SyntaxNode } from "../language/syntax.ts";
import { call, cast, literal, type Scalar } from "../plan/scalar.ts";
import { translateAggregate, isAggregate } from "./aggregate-calls.ts";
import { inlineScalarFunction } from "./function-bodies.ts";
import { scalarSubquery } from "./subqueries.ts";
import { findColumn, use, type Scope, type Translation, translateScalar } from "./translation.ts";
import { typeOf } from "./types.ts";
import { isWindowFunction, translateWindow } from "./window-calls.ts";

/** A call of a function, or a bare name of one. */
export function translateCall(node: SyntaxNode, scope: Scope, state: Translation): Scalar {
  const name = nameOf(node);
  const body = symbolClass(node) === "FunctionSymbol" ? calledBody(node) : undefined;
  if (body !== undefined) return inlineScalarFunction(node, body, scope, state);
  if (isAggregate(node)) return translateAggregate(node, scope, state);
  if (isWindowFunction(name)) return translateWindow(node, scope, state);
  const special = SPECIAL[name];
  if (special !== undefined) return special(node, scope, state);
  const args = argumentsOf(node).map((one) => translateScalar(one, scope, state));
  return { kind: "call", name, args, type: typeOf(node) };
}

type Special = (node: SyntaxNode, scope: Scope, state: Translation) => Scalar;

/** Functions about the query itself rather than about values. */
const SPECIAL: Readonly<Record<string, Special>> = {
  now: (node, scope, state) => {
    const [offset] = argumentsOf(node);
    const now = literal("datetime", state.now);
    return offset === undefined
      ? now
      : call("+", "datetime", now, translateScalar(offset, scope, state));
  },
  ago: (node, scope, state) => {
    const [offset] = argumentsOf(node);
    if (offset === undefined) throw new KqlError("semantic", "ago() needs a timespan.");
    return call(
      "-",
      "datetime",
      literal("datetime", state.now),
      translateScalar(offset, scope, state),
    );
  },
  not: (node, scope, state) => {
    const [value] = argumentsOf(node);
    if (value === undefined) throw new KqlError("semantic", "not() needs an argument.");
    return call("not", "bool", cast(translateScalar(value, scope, state), "bool"));
  },
  toscalar: (node, _scope, state) => {
    const [value] = argumentsOf(node);
    if (value === undefined) throw new KqlError("semantic", "toscalar() needs an argument.");
    return scalarSubquery(value, typeOf(node), state);
  },
  materialize: (node, scope, state) => {
    const [value] = argumentsOf(node);
    if (value === undefined) throw new KqlError("semantic", "materialize() needs an argument.");
    return translateScalar(value, scope, state);
  },
  column_ifexists: columnIfExists,
  columnifexists: columnIfExists,
  iscolumnexists: (node, scope, state) => {
    const [name] = argumentsOf(node).map((one) => translateScalar(one, scope, state));
    const isThere = name?.kind === "literal" && typeof name.value === "string";
    return literal(
      "bool",
      isThere && scope.table !== undefined && findColumn(scope.table, name.value) !== undefined,
    );
  },
  pack_all: packAll,
  gettype: (node, scope, state) => {
    const [value] = argumentsOf(node).map((one) => translateScalar(one, scope, state));
    if (value === undefined) throw new KqlError("semantic", "gettype() needs an argument.");
    return value.type === "dynamic"
      ? call("gettype", "string", value)
      : literal("string", value.type);
  },
  extract: extractTyped,
  current_database: (_node, _scope, state) => literal("string", state.database),
};

function columnIfExists(node: SyntaxNode, scope: Scope, state: Translation): Scalar {
  const [name, other] = argumentsOf(node);
  if (name === undefined || other === undefined) {
    throw new KqlError("semantic", "column_ifexists() needs a name and a value.");
  }
  const wanted = translateScalar(name, scope, state);
  const column =
    wanted.kind === "literal" && typeof wanted.value === "string" && scope.table !== undefined
      ? findColumn(scope.table, wanted.value)
      : undefined;
  return column === undefined ? translateScalar(other, scope, state) : use(column);
}

/** All columns as one bag; with `true`, without those that are null or empty. */
function packAll(node: SyntaxNode, scope: Scope, state: Translation): Scalar {
  const [skip] = argumentsOf(node).map((one) => translateScalar(one, scope, state));
  const args = (scope.table?.columns ?? []).flatMap((column) => [
    literal("string", column.name),
    use(column),
  ]);
  const skips = skip?.kind === "literal" && skip.value === true;
  return { kind: "call", name: skips ? "bag_pack_nonempty" : "bag_pack", args, type: "dynamic" };
}

/** `extract(regex, group, text, typeof(type))` converts what it finds. */
function extractTyped(node: SyntaxNode, scope: Scope, state: Translation): Scalar {
  const nodes = argumentsOf(node);
  const args = nodes.slice(0, 3).map((one) => translateScalar(one, scope, state));
  const found: Scalar = { kind: "call", name: "extract", args, type: "string" };
  const [, , , wanted] = nodes;
  return wanted === undefined ? found : cast(found, typeLiteral(wanted));
}
