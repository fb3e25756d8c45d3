import { kindOf, nameOf, part, type SyntaxNode } from "../../language/syntax.ts";
import type { KqlColumn } from "../../types.ts";
import { argumentsOf } from "../call-parts.ts";
import { columnsOf } from "../../language/syntax.ts";
import type { Table, Translation } from "../translation.ts";
import { scalarType } from "../types.ts";

/** One use of `evaluate`. */
export interface PluginUse {
  /** The operator, whose columns the binder knows. */
  readonly node: SyntaxNode;
  /** The call behind `evaluate`. */
  readonly call: SyntaxNode;
  /** Arguments by position, and those that are given by name. */
  readonly args: readonly SyntaxNode[];
  readonly named: ReadonlyMap<string, SyntaxNode>;
  readonly table: Table;
  readonly state: Translation;
}

export type Plugin = (use: PluginUse) => Table;

export function pluginUse(node: SyntaxNode, table: Table, state: Translation): PluginUse {
  const call = part(node, "FunctionCall");
  const all = argumentsOf(call);
  const named = all.filter(isNamed).map((one): [string, SyntaxNode] => {
    return [nameOf(part(one, "Name")).toLowerCase(), part(one, "Expression")];
  });
  const args = all.filter((one) => !isNamed(one));
  return { node, call, args, named: new Map(named), table, state };
}

function isNamed(node: SyntaxNode): boolean {
  return kindOf(node) === "SimpleNamedExpression";
}

/** The columns of the result, as the binder names and types them. */
export function resultColumns(node: SyntaxNode): KqlColumn[] {
  return columnsOf(node).map(({ name, type }) => ({ name, type: scalarType(type) }));
}
