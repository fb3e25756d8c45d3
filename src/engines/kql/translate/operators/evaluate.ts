import { nameOf, part, type SyntaxNode } from "../../language/syntax.ts";
import { unsupported, type Table, type Translation } from "../translation.ts";
import { pluginUse } from "../plugins/plugin.ts";
import { plugins, REFUSED_PLUGINS } from "../plugins/plugins.ts";
import { oneRow } from "../table-shapes.ts";
import type { Operator } from "./operator.ts";

export const evaluateOperators: Readonly<Record<string, Operator>> = {
  EvaluateOperator: translateEvaluate,
};

function translateEvaluate(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const name = nameOf(part(node, "FunctionCall"));
  const plugin = plugins.get(name);
  if (plugin !== undefined) return plugin(pluginUse(node, input ?? oneRow(state), state));
  const reason = REFUSED_PLUGINS.get(name) ?? "is not supported";
  throw unsupported(node, `The plugin ${name}() ${reason}.`);
}
