import { translateScalar } from "../translation.ts";
import { KqlError } from "../../kql-error.ts";
import {
  kindOf,
  maybe,
  nameOf,
  part,
  parts,
  textOf,
  type SyntaxNode,
} from "../../language/syntax.ts";
import type { Scalar } from "../../plan/scalar.ts";
import { literalOf } from "../literals.ts";
import type { Table, Translation } from "../translation.ts";
import { usesWindows } from "../window-calls.ts";
import { withSessions } from "./row-sessions.ts";
import { withOrdinal } from "./serialize.ts";

/** Translates one tabular operator; `input` is what stands before its `|`. */
export type Operator = (node: SyntaxNode, input: Table | undefined, state: Translation) => Table;

/** The table before the `|`; the parser lets no operator that needs one stand without. */
export function inputOf(input: Table | undefined, node: SyntaxNode): Table {
  if (input === undefined) {
    throw new KqlError("semantic", `${textOf(node)} needs a table to work on.`);
  }
  return input;
}

/** The value of a named parameter (`kind=inner`), as text. */
export function parameterText(node: SyntaxNode, name: string): string | undefined {
  const value = parameter(node, name);
  if (value === undefined) return undefined;
  const found = literalOf(value);
  return typeof found?.value === "string" ? found.value : textOf(value);
}

/** The node of a named parameter's value. */
function parameter(node: SyntaxNode, name: string): SyntaxNode | undefined {
  for (const one of parts(node, "Parameters")) {
    if (nameOf(part(one, "Name")).toLowerCase() === name) return part(one, "Expression");
  }
  return undefined;
}

/** The expression without the name that it is given. */
export function unnamed(node: SyntaxNode): SyntaxNode {
  const kind = kindOf(node);
  return kind === "SimpleNamedExpression" || kind === "CompoundNamedExpression"
    ? part(node, "Expression")
    : node;
}

/** The name that an expression is given, or that it has as a plain column. */
export function givenName(node: SyntaxNode): string | undefined {
  const kind = kindOf(node);
  if (kind === "SimpleNamedExpression") return nameOf(part(node, "Name"));
  return kind === "NameReference" ? nameOf(node) : undefined;
}

/** The names of `(a, b) = …`. */
export function givenNames(node: SyntaxNode): readonly string[] {
  if (kindOf(node) !== "CompoundNamedExpression") return [];
  const list = maybe(node, "Names");
  return list === undefined ? [] : parts(list, "Names").map(nameOf);
}

/** A scalar over the columns of a table. */
export function scalarOver(node: SyntaxNode, table: Table, state: Translation): Scalar {
  return translateScalar(node, { table }, state);
}

/** The table with rows numbered, where an expression of the operator looks at other rows. */
export function ready(table: Table, nodes: readonly SyntaxNode[], state: Translation): Table {
  if (!nodes.some(usesWindows)) return table;
  return withSessions(withOrdinal(table, state), nodes, state);
}
