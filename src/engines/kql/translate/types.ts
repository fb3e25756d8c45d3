import type { SyntaxNode } from "../language/syntax.ts";
import { typeName } from "../language/syntax.ts";
import { KQL_TYPES, type KqlType } from "../types.ts";

const TYPES: ReadonlyMap<string, KqlType> = new Map<string, KqlType>([
  ...KQL_TYPES.map((type) => [type, type] as const),
  ["date", "datetime"],
  ["time", "timespan"],
  ["double", "real"],
  ["boolean", "bool"],
  ["uuid", "guid"],
  ["uniqueid", "guid"],
]);

/** The scalar type of this name; what the binder cannot tell is dynamic. */
export function scalarType(name: string): KqlType {
  return TYPES.get(name) ?? "dynamic";
}

/** Whether the name is one of a scalar type. */
export function isScalarType(name: string): boolean {
  return TYPES.has(name);
}

/** The scalar type of a bound expression. */
export function typeOf(node: SyntaxNode): KqlType {
  return scalarType(typeName(node));
}
