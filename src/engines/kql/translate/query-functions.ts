import { KqlError } from "../kql-error.ts";
import type { SyntaxNode } from "../language/syntax.ts";
import { call, cast, literal, type Scalar } from "../plan/scalar.ts";
import { argumentsOf, typeLiteral } from "./call-parts.ts";
import { callerFunctions } from "./caller-functions.ts";
import { columnFunctions } from "./column-functions.ts";
import { scalarSubquery } from "./subqueries.ts";
import { findColumn, translateScalar, use, type Scope, type Translation } from "./translation.ts";
import type { KqlType } from "../types.ts";
import { typeOf } from "./types.ts";

/** Translates a call that is about the query itself rather than about values. */
type Special = (node: SyntaxNode, scope: Scope, state: Translation) => Scalar;

/** Functions about the query itself rather than about values. */
export const queryFunctions: Readonly<Record<string, Special>> = {
  ...callerFunctions,
  ...columnFunctions,
  now: (node, scope, state) => {
    const [offset] = argumentsOf(node);
    const now = call("now", "datetime");
    return offset === undefined
      ? now
      : call("+", "datetime", now, translateScalar(offset, scope, state));
  },
  ago: (node, scope, state) => {
    const [offset] = argumentsOf(node);
    if (offset === undefined) throw new KqlError("semantic", "ago() needs a timespan.");
    return call("-", "datetime", call("now", "datetime"), translateScalar(offset, scope, state));
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
  extract: typed("extract", 3, "string"),
  extract_json: typed("extract_json", 2, "string"),
  extractjson: typed("extract_json", 2, "string"),
  percentile_tdigest: typed("percentile_tdigest", 2, "dynamic"),
  // A condition that does not hold stops the query before it runs.
  assert: (node, scope, state) => {
    const [condition, message] = argumentsOf(node).map((one) => translateScalar(one, scope, state));
    if (condition === undefined || message === undefined) {
      throw new KqlError("semantic", "assert() needs a condition and a message.");
    }
    return call("assert", "bool", cast(condition, "bool"), message);
  },
  around: (node, scope, state) => {
    const [value, center, delta] = argumentsOf(node).map((one) => {
      return translateScalar(one, scope, state);
    });
    if (value === undefined || center === undefined || delta === undefined) {
      throw new KqlError("semantic", "around() needs a value, a center and a distance.");
    }
    const low = call("-", center.type, center, delta);
    return call("between", "bool", value, low, call("+", center.type, center, delta));
  },
  bin_auto: (node, scope, state) => {
    const [value] = argumentsOf(node).map((one) => translateScalar(one, scope, state));
    const size = optionValue("query_bin_auto_size", state);
    if (value === undefined || size === undefined) {
      throw new KqlError("semantic", "bin_auto() needs the option query_bin_auto_size.");
    }
    const origin = optionValue("query_bin_auto_at", state);
    return origin === undefined
      ? call("bin", value.type, value, size)
      : call("bin_at", value.type, value, size, origin);
  },
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

/** Functions whose last argument may be `typeof(type)`, which converts what they find. */
function typed(name: string, count: number, found: KqlType): Special {
  return (node, scope, state) => {
    const nodes = argumentsOf(node);
    const args = nodes.slice(0, count).map((one) => translateScalar(one, scope, state));
    const value: Scalar = { kind: "call", name, args, type: found };
    const wanted = nodes[count];
    return wanted === undefined ? value : cast(value, typeLiteral(wanted));
  };
}

function optionValue(name: string, state: Translation): Scalar | undefined {
  const node = state.options.get(name);
  return node === undefined ? undefined : translateScalar(node, {}, state);
}
