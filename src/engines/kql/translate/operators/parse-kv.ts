import { KqlError } from "../../kql-error.ts";
import {
  columnsOf,
  maybe,
  nameOf,
  part,
  parts,
  positionOf,
  textOf,
  type SyntaxNode,
} from "../../language/syntax.ts";
import { call, cast, literal } from "../../plan/scalar.ts";
import type { JsonBag } from "../../types.ts";
import { literalOf } from "../literals.ts";
import { use, withHidden, type NewValue, type Table, type Translation } from "../translation.ts";
import { scalarType } from "../types.ts";
import { replaced } from "./column-operators.ts";
import { inputOf, scalarOver, type Operator } from "./operator.ts";

export const pairOperators: Readonly<Record<string, Operator>> = {
  ParseKvOperator: translateParseKv,
};

function translateParseKv(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const table = inputOf(input, node);
  const text = cast(scalarOver(part(node, "Expression"), table, state), "string");
  const declared = parts(part(node, "Keys"), "Columns").map((one) => ({
    name: nameOf(part(one, "Name")),
    type: scalarType(String(part(one, "Type")).trim()),
  }));
  const format = { ...formatOf(node), keys: declared.map(({ name }) => name) };
  const pairs = state.newColumn("", "dynamic");
  const value = call("parse_kv", "dynamic", text, literal("dynamic", format));
  const made = withHidden(table, [{ column: pairs, value }]);
  const values = declared.map(({ name, type }): NewValue => {
    const found = call("path", "dynamic", use(pairs), literal("string", name));
    return { column: state.newColumn(name, type), value: cast(cast(found, "string"), type) };
  });
  return replaced(made, values, columnsOf(node), state);
}

const PROPERTIES = new Set([
  "pair_delimiter",
  "kv_delimiter",
  "quote",
  "escape",
  "greedy",
  "regex",
]);

/** The `with` options, in the shape that the function takes. */
function formatOf(node: SyntaxNode): JsonBag {
  const given = new Map<string, string>();
  const quotes: [string, string][] = [];
  const clause = maybe(node, "WithClause");
  for (const one of clause === undefined ? [] : parts(clause, "Properties")) {
    const name = nameOf(part(one, "Name")).toLowerCase();
    const value = optionText(part(one, "Expression"));
    if (!PROPERTIES.has(name)) {
      throw new KqlError("semantic", `parse-kv has no option '${name}'.`, {
        position: positionOf(one),
      });
    }
    if (name === "quote") quotes.push([value.slice(0, 1), value.slice(1) || value]);
    else given.set(name, value);
  }
  return withoutMissing({
    pairDelimiter: given.get("pair_delimiter"),
    keyDelimiter: given.get("kv_delimiter"),
    escape: given.get("escape"),
    regex: given.get("regex"),
    isGreedy: given.get("greedy") === "true",
    quotes,
  });
}

function optionText(node: SyntaxNode): string {
  const value = literalOf(node)?.value;
  return typeof value === "string" ? value : textOf(node);
}

function withoutMissing(options: object): JsonBag {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
