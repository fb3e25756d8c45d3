import { kindOf, part, type SyntaxNode } from "../../language/syntax.ts";
import {
  translateTabular,
  unsupported,
  withHidden,
  type Table,
  type Translation,
} from "../translation.ts";
import { inputOf, scalarOver, type Operator } from "./operator.ts";

export const partitionOperators: Readonly<Record<string, Operator>> = {
  PartitionOperator: translatePartition,
};

/** The subquery works within the rows of each value of the key. */
function translatePartition(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const table = inputOf(input, node);
  const operand = part(node, "Operand");
  if (kindOf(operand) !== "PartitionSubquery") {
    throw unsupported(
      operand,
      "partition over another query in braces is not supported: write the subquery in parentheses.",
    );
  }
  const value = scalarOver(part(node, "ByExpression"), table, state);
  const key = state.newColumn("", value.type);
  const keyed = withHidden(table, [{ column: key, value }]);
  const within = { ...keyed, group: [...table.group, key] };
  const made = translateTabular(part(operand, "Subquery"), state, within);
  const relation = { ...made.relation, order: [] };
  return { ...made, relation, order: [], isSerialized: false, group: table.group };
}
