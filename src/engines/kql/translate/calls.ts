import { queryFunctions } from "./query-functions.ts";
import { argumentsOf } from "./call-parts.ts";
import { calledBody, nameOf, symbolClass, type SyntaxNode } from "../language/syntax.ts";
import { type Scalar } from "../plan/scalar.ts";
import { translateAggregate, isAggregate } from "./aggregate-calls.ts";
import { inlineScalarFunction } from "./function-bodies.ts";
import { type Scope, type Translation, translateScalar } from "./translation.ts";
import { typeOf } from "./types.ts";
import { isWindowFunction, translateWindow } from "./window-calls.ts";

/** A call of a function, or a bare name of one. */
export function translateCall(node: SyntaxNode, scope: Scope, state: Translation): Scalar {
  const name = nameOf(node);
  const body = symbolClass(node) === "FunctionSymbol" ? calledBody(node) : undefined;
  if (body !== undefined) return inlineScalarFunction(node, body, scope, state);
  if (isAggregate(node)) return translateAggregate(node, scope, state);
  if (isWindowFunction(name)) return translateWindow(node, scope, state);
  const special = Object.hasOwn(queryFunctions, name) ? queryFunctions[name] : undefined;
  if (special !== undefined) return special(node, scope, state);
  const args = argumentsOf(node).map((one) => translateScalar(one, scope, state));
  return { kind: "call", name, args, type: typeOf(node) };
}
