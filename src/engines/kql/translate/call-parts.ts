import { KqlError } from "../kql-error.ts";
import { maybe, parts, type SyntaxNode } from "../language/syntax.ts";
import type { KqlType } from "../types.ts";
import { isScalarType, scalarType } from "./types.ts";

/** The arguments of a call, without names. */
export function argumentsOf(node: SyntaxNode): SyntaxNode[] {
  const list = maybe(node, "ArgumentList");
  return list === undefined ? [] : parts(list, "Expressions");
}

/** The type that `typeof(…)` names. */
export function typeLiteral(node: SyntaxNode): KqlType {
  const [type] = parts(node, "Types");
  const name = type === undefined ? "dynamic" : type.toString().trim();
  if (!isScalarType(name)) throw new KqlError("semantic", `"${name}" is not a scalar type.`);
  return scalarType(name);
}
