import { kindOf, nameOf, part, parts, type SyntaxNode } from "../../language/syntax.ts";
import { call, cast, literal, type Scalar } from "../../plan/scalar.ts";
import { literalOf } from "../literals.ts";
import { use, type Table, type Translation } from "../translation.ts";
import { scalarOver } from "./operator.ts";

/** A condition in which a text alone is a term that any column may hold. */
export function searchCondition(
  node: SyntaxNode,
  table: Table,
  state: Translation,
  isCased: boolean,
): Scalar {
  const inner = (child: SyntaxNode): Scalar => searchCondition(child, table, state, isCased);
  const term = termOf(node);
  if (term !== undefined) return anywhere(table, (text) => hasTerm(text, term, isCased));
  switch (kindOf(node)) {
    case "ParenthesizedExpression":
      return inner(part(node, "Expression"));
    case "StarExpression":
      return literal("bool", true);
    case "AndExpression":
      return call("and", "bool", inner(part(node, "Left")), inner(part(node, "Right")));
    case "OrExpression":
      return call("or", "bool", inner(part(node, "Left")), inner(part(node, "Right")));
    case "SearchExpression":
      return columnTerm(node, table, state, isCased);
    case "FunctionCallExpression": {
      const [only] = parts(part(node, "ArgumentList"), "Expressions");
      if (nameOf(node) === "not" && only !== undefined) return call("not", "bool", inner(only));
      return scalarOver(node, table, state);
    }
    default:
      return scalarOver(node, table, state);
  }
}

/** `column:"term"` */
function columnTerm(node: SyntaxNode, table: Table, state: Translation, isCased: boolean): Scalar {
  const [left, right] = [part(node, "Left"), part(node, "Right")];
  const term = termOf(right);
  const test = (text: Scalar): Scalar => {
    if (term !== undefined) return hasTerm(text, term, isCased);
    return call("has", "bool", text, cast(scalarOver(right, table, state), "string"));
  };
  if (kindOf(left) === "StarExpression") return anywhere(table, test);
  return test(cast(scalarOver(left, table, state), "string"));
}

function termOf(node: SyntaxNode): string | undefined {
  const found = literalOf(node);
  return found?.type === "string" && typeof found.value === "string" ? found.value : undefined;
}

function anywhere(table: Table, test: (text: Scalar) => Scalar): Scalar {
  const args = table.columns.map((column) => test(cast(use(column), "string")));
  const [first] = args;
  if (first === undefined) return literal("bool", false);
  return args.length === 1 ? first : { kind: "call", name: "or", args, type: "bool" };
}

/** Whole words, or parts of words where the term has a `*`. */
function hasTerm(text: Scalar, term: string, isCased: boolean): Scalar {
  const [starts, ends] = [term.startsWith("*"), term.endsWith("*")];
  const word = term.replaceAll(/^\*|\*$/g, "");
  if (word === "" || word === "*") return call("isnotempty", "bool", text);
  if (word.includes("*"))
    return call("matches regex", "bool", text, literal("string", regexOf(term, isCased)));
  let name = "has";
  if (starts && ends) name = "contains";
  else if (starts) name = "hassuffix";
  else if (ends) name = "hasprefix";
  return call(isCased ? `${name}_cs` : name, "bool", text, literal("string", word));
}

function regexOf(term: string, isCased: boolean): string {
  const words = term
    .split("*")
    .map((one) => one.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  const start = term.startsWith("*") ? "" : String.raw`\b`;
  const end = term.endsWith("*") ? "" : String.raw`\b`;
  return `${isCased ? "(?s)" : "(?is)"}${start}${words.join(".*?")}${end}`;
}
