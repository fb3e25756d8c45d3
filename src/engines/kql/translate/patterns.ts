import { KqlError } from "../kql-error.ts";
import {
  kindOf,
  maybe,
  nameOf,
  part,
  parts,
  positionOf,
  type SyntaxNode,
} from "../language/syntax.ts";
import { argumentsOf } from "./call-parts.ts";
import { bindLet } from "./lets.ts";
import { literalOf } from "./literals.ts";
import { translateTabular, type Table, type Translation } from "./translation.ts";

/** The query that a `declare pattern` has for these values; undefined for all other calls. */
export function patternResult(node: SyntaxNode, state: Translation): Table | undefined {
  const isPath = kindOf(node) === "PathExpression";
  const call = isPath ? part(node, "Expression") : node;
  if (kindOf(call) !== "FunctionCallExpression") return undefined;
  const declared = parts(state.root, "Statements").find((one) => {
    return kindOf(one) === "PatternStatement" && nameOf(part(one, "Name")) === nameOf(call);
  });
  if (declared === undefined) return undefined;
  const wanted = argumentsOf(call).map(literalText);
  const path = isPath ? keyText(part(node, "Selector")) : "";
  const found = parts(part(declared, "Pattern"), "Patterns").find((one) => {
    const values = parts(part(one, "ParameterValues"), "Expressions").map(literalText);
    return pathOf(one) === path && values.every((value, index) => value === wanted[index]);
  });
  if (found === undefined) {
    throw new KqlError("semantic", `The pattern '${nameOf(call)}' has nothing for these values.`, {
      position: positionOf(node),
    });
  }
  const body = part(found, "Body");
  for (const statement of parts(body, "Statements")) {
    if (kindOf(statement) === "LetStatement") bindLet(statement, state);
  }
  return translateTabular(part(body, "Expression"), state);
}

function literalText(node: SyntaxNode): string {
  const value = literalOf(node)?.value;
  return typeof value === "string" ? value : "";
}

/** `.Name` or `.["any name"]`. */
function keyText(selector: SyntaxNode): string {
  if (kindOf(selector) === "NameReference") return nameOf(selector);
  const inner = maybe(selector, "Expression") ?? selector;
  return literalText(inner);
}

function pathOf(match: SyntaxNode): string {
  const path = maybe(match, "PathValue");
  return path === undefined ? "" : literalText(part(path, "Value"));
}
