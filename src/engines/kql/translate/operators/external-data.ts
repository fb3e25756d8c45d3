import { KqlError } from "../../kql-error.ts";
import {
  kindOf,
  maybe,
  nameOf,
  part,
  parts,
  positionOf,
  textOf,
  type SyntaxNode,
} from "../../language/syntax.ts";
import {
  externalRows,
  isTextFormat,
  type ExternalFormat,
} from "../../runtime/rows/external-rows.ts";
import { literalOf } from "../literals.ts";
import { tableOfRelation, unsupported, type Table, type Translation } from "../translation.ts";
import { scalarType } from "../types.ts";
import type { Operator } from "./operator.ts";

export const externalOperators: Readonly<Record<string, Operator>> = {
  ExternalDataExpression: translateExternalData,
};

/** `externaldata(columns) [urls] with (options)`: read when the query runs, by who serves it. */
function translateExternalData(
  node: SyntaxNode,
  _input: Table | undefined,
  state: Translation,
): Table {
  const { fetchExternal } = state;
  if (fetchExternal === undefined) {
    throw unsupported(node, "externaldata is not supported here: queries reach no other places.");
  }
  const columns = parts(part(node, "Schema"), "Columns").map((one) => {
    return state.newColumn(nameOf(part(one, "Name")), scalarType(textOf(part(one, "Type"))));
  });
  const urls = parts(node, "URIs").map(urlOf);
  const format = formatOf(node, urls[0] ?? "");
  return tableOfRelation({
    kind: "computed",
    inputs: [],
    columns,
    order: [],
    async *compute() {
      for (const url of urls) yield externalRows(await fetchExternal(url), columns, format);
    },
  });
}

function urlOf(node: SyntaxNode): string {
  const value = literalOf(node)?.value;
  if (typeof value === "string") return value;
  throw new KqlError("semantic", "externaldata takes its places as literal texts.", {
    position: positionOf(node),
  });
}

function formatOf(node: SyntaxNode, url: string): ExternalFormat {
  const options = new Map<string, string>();
  const clause = maybe(node, "WithClause");
  for (const one of clause === undefined ? [] : parts(clause, "Properties")) {
    options.set(nameOf(part(one, "Name")).toLowerCase(), optionText(part(one, "Expression")));
  }
  const extension = /\.(?<name>[a-z]+)(?:\.gz)?(?:[?;#]|$)/i.exec(url)?.groups?.["name"] ?? "csv";
  const known = isTextFormat(extension.toLowerCase()) ? extension.toLowerCase() : "csv";
  const name = (options.get("format") ?? known).toLowerCase();
  if (!isTextFormat(name)) {
    throw unsupported(node, `externaldata does not read the format "${name}".`);
  }
  return { name, ignoresFirst: options.get("ignorefirstrecord") === "true" };
}

function optionText(node: SyntaxNode): string {
  const value = literalOf(node)?.value;
  if (typeof value === "string") return value;
  return kindOf(node) === "NameDeclaration" ? nameOf(node) : textOf(node);
}
