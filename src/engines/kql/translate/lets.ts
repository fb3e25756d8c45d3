import { renewed } from "./table-shapes.ts";
import { isGraphNode, isTabular, kindOf, part, type SyntaxNode } from "../language/syntax.ts";
import { NO_SCOPE, type Translation, translateScalar, translateTabular } from "./translation.ts";

/** Binds the name of a `let`; functions are bound where they are called. */
export function bindLet(statement: SyntaxNode, state: Translation): void {
  const symbol = part(statement, "Name").ReferencedSymbol;
  if (symbol === null || symbol === undefined) return;
  const expression = part(statement, "Expression");
  const kind = kindOf(expression);
  if (kind === "FunctionDeclaration") return;
  if (!isTabular(expression) && !isGraphNode(expression)) {
    state.bindings.set(symbol, {
      kind: "scalar",
      value: translateScalar(expression, NO_SCOPE, state),
    });
    return;
  }
  const table = translateTabular(expression, state);
  const isOnce = isMaterialize(expression);
  state.bindings.set(symbol, {
    kind: "table",
    table: isOnce ? renewed(table, state, true) : table,
  });
}

function isMaterialize(node: SyntaxNode): boolean {
  if (kindOf(node) === "MaterializeExpression") return true;
  return kindOf(node) === "FunctionCallExpression" && /^\s*materialize\b/.test(node.toString());
}
