import { KqlError } from "../../kql-error.ts";
import { nameOf, part, parts, positionOf, type SyntaxNode } from "../../language/syntax.ts";
import { inlineInvokedFunction } from "../function-bodies.ts";
import { findColumn, type Table, type Translation } from "../translation.ts";
import { scalarType } from "../types.ts";
import { inputOf, type Operator } from "./operator.ts";

/** Operators that hand the table on, or look at its columns alone. */
export const functionOperators: Readonly<Record<string, Operator>> = {
  InvokeOperator: (node, input, state) =>
    inlineInvokedFunction(part(node, "Function"), inputOf(input, node), state),
  AssertSchemaOperator: assertSchema,
};

function assertSchema(node: SyntaxNode, input: Table | undefined, _state: Translation): Table {
  const table = inputOf(input, node);
  const wanted = parts(part(node, "Schema"), "Columns").map((one) => ({
    name: nameOf(part(one, "Name")),
    type: scalarType(String(part(one, "Type")).trim()),
  }));
  const isSame = wanted.every(({ name, type }) => findColumn(table, name)?.type === type);
  if (isSame && wanted.length === table.columns.length) return table;
  const found = table.columns.map(({ name, type }) => `${name}:${type}`).join(", ");
  throw new KqlError("semantic", `assert-schema: the columns are (${found}).`, {
    position: positionOf(node),
  });
}
