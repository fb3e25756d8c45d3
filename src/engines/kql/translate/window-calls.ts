import { argumentsOf } from "./call-parts.ts";
import { KqlError } from "../kql-error.ts";
import { nameOf, positionOf, walk, kindOf, type SyntaxNode } from "../language/syntax.ts";
import { call, cast, literal, type Scalar, type Window } from "../plan/scalar.ts";
import { SESSION_FUNCTION, sessionColumn } from "./operators/row-sessions.ts";
import { groupKeys, use, type Scope, type Translation, translateScalar } from "./translation.ts";
import { typeOf } from "./types.ts";

const WINDOW_FUNCTIONS = new Set([
  "row_number",
  "prev",
  "next",
  "row_cumsum",
  "row_rank",
  "row_rank_dense",
  "row_rank_min",
  SESSION_FUNCTION,
]);

export function isWindowFunction(name: string): boolean {
  return WINDOW_FUNCTIONS.has(name);
}

/** Whether the expression looks at other rows, so that rows need an order. */
export function usesWindows(node: SyntaxNode): boolean {
  for (const one of walk(node)) {
    if (kindOf(one) === "FunctionCallExpression" && isWindowFunction(nameOf(one))) return true;
  }
  return false;
}

/** A function over the rows around. Windows within its arguments are taken apart later. */
export function translateWindow(node: SyntaxNode, scope: Scope, state: Translation): Scalar {
  const name = nameOf(node);
  if (scope.table?.isSerialized !== true) {
    throw new KqlError(
      "semantic",
      `Function '${name}' cannot be invoked: the row set must be serialized.`,
      { code: "SEM0220", position: positionOf(node) },
    );
  }
  return name === SESSION_FUNCTION ? use(sessionColumn(node)) : windowOf(node, scope, state);
}

function windowOf(node: SyntaxNode, scope: Scope, state: Translation): Scalar {
  const name = nameOf(node);
  const args = argumentsOf(node).map((one) => translateScalar(one, scope, state));
  const type = typeOf(node);
  const over = (called: string, values: readonly Scalar[], restart?: Scalar): Window => ({
    kind: "window",
    name: called,
    args: values,
    type,
    partition: [...groupsOf(scope), ...(restart === undefined ? [] : [runs(restart, scope)])],
    order: scope.table?.order ?? [],
  });
  const [first, second] = args;
  switch (name) {
    case "row_number":
      return over(name, first === undefined ? [] : [cast(first, "long")], second);
    case "row_cumsum":
      return over(name, first === undefined ? [] : [first], second);
    case "row_rank":
    case "row_rank_dense":
    case "row_rank_min":
      if (first === undefined) throw new KqlError("semantic", `${name}() needs a term.`);
      return rank(name, first, second, scope);
    default:
      return over(name, args);
  }
}

function groupsOf(scope: Scope): readonly Scalar[] {
  return scope.table === undefined ? [] : groupKeys(scope.table);
}

/** How often a condition has held so far: rows between two restarts share the number. */
function runs(restart: Scalar, scope: Scope): Scalar {
  return longWindow("row_cumsum", [flag(restart)], scope, []);
}

function flag(condition: Scalar): Scalar {
  return call("iff", "long", cast(condition, "bool"), literal("long", 1n), literal("long", 0n));
}

function longWindow(
  name: string,
  args: readonly Scalar[],
  scope: Scope,
  within: readonly Scalar[],
): Window {
  const partition = [...groupsOf(scope), ...within];
  return { kind: "window", name, args, type: "long", partition, order: scope.table?.order ?? [] };
}

/** A rank grows where the term differs from the row before. */
function rank(name: string, term: Scalar, restart: Scalar | undefined, scope: Scope): Scalar {
  const within = restart === undefined ? [] : [runs(restart, scope)];
  const number = longWindow("row_number", [], scope, within);
  const before: Window = { ...longWindow("prev", [term], scope, within), type: term.type };
  const isFirst = call("==", "bool", number, literal("long", 1n));
  const changed = call(
    "or",
    "bool",
    isFirst,
    call("not", "bool", call("==", "bool", term, before)),
  );
  if (name !== "row_rank_min") return longWindow("row_cumsum", [flag(changed)], scope, within);
  const start = call("iff", "long", changed, number, literal("long", 0n));
  return longWindow("row_cummax", [start], scope, within);
}
