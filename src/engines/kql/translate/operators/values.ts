import { columnsOf, kindOf, textOf, typeName, type SyntaxNode } from "../../language/syntax.ts";
import { call, cast, literal, type Scalar } from "../../plan/scalar.ts";
import { scalarOver, unnamed } from "./operator.ts";
import type { Table, Translation } from "../translation.ts";
import { scalarType } from "../types.ts";

/** The values of an expression in a list of columns: one, or all of those of a tuple. */
export function expressionValues(node: SyntaxNode, table: Table, state: Translation): Scalar[] {
  const expression = unnamed(node);
  if (kindOf(expression) === "StarExpression" || textOf(expression) === "*") {
    return table.columns.map(({ id, type }) => ({ kind: "column", id, type }));
  }
  const value = scalarOver(expression, table, state);
  if (typeName(expression) !== "tuple") return [value];
  const list: Scalar = { ...value, type: "dynamic" };
  return columnsOf(expression).map(({ type }, index) =>
    cast(
      call("path", "dynamic", list, literal("long", BigInt(index))),
      scalarType(type === "unknown" ? "dynamic" : type),
    ),
  );
}
