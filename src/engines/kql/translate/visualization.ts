import { kindOf, maybe, nameOf, part, parts, textOf, type SyntaxNode } from "../language/syntax.ts";
import { literalOf } from "./literals.ts";
import type { Visualization } from "./translation.ts";

/** What an answer says when nothing is asked for. */
export const NO_VISUALIZATION: Visualization = {
  Visualization: null,
  Title: null,
  XColumn: null,
  Series: null,
  YColumns: null,
  AnomalyColumns: null,
  XTitle: null,
  YTitle: null,
  XAxis: null,
  YAxis: null,
  Legend: null,
  YSplit: null,
  Accumulate: false,
  IsQuerySorted: false,
  Kind: null,
  Ymin: "NaN",
  Ymax: "NaN",
  Xmin: null,
  Xmax: null,
};

/** Names in the language, and in the answer. */
const PROPERTIES: ReadonlyMap<string, string> = new Map(
  Object.keys(NO_VISUALIZATION).map((name) => [name.toLowerCase(), name]),
);

/** What `render` asks for, as answers carry it. */
export function visualizationOf(node: SyntaxNode): Visualization {
  const asked: Record<string, unknown> = { ...NO_VISUALIZATION, Visualization: chartOf(node) };
  const clause = maybe(node, "WithClause");
  const properties = [
    ...parts(node, "Parameters"),
    ...(clause === undefined ? [] : parts(clause, "Properties")),
  ];
  for (const property of properties) {
    const name = PROPERTIES.get(nameOf(part(property, "Name")).toLowerCase());
    if (name !== undefined) asked[name] = valueOf(part(property, "Expression"));
  }
  return asked;
}

function chartOf(node: SyntaxNode): string {
  const chart = maybe(node, "ChartType");
  return chart === undefined ? "table" : textOf(chart);
}

function valueOf(node: SyntaxNode): unknown {
  const found = literalOf(node);
  if (found !== undefined)
    return typeof found.value === "bigint" ? Number(found.value) : found.value;
  if (kindOf(node).endsWith("List")) return parts(node, "Names").map(nameOf);
  return textOf(node);
}
