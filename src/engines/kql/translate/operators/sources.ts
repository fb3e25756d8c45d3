import { oneRow } from "../table-shapes.ts";
import { columnsOf, nameOf, part, parts, type SyntaxNode } from "../../language/syntax.ts";
import { cast, literal } from "../../plan/scalar.ts";
import {
  NO_SCOPE,
  projected,
  tableOfRelation,
  use,
  type Table,
  type Translation,
  translateScalar,
} from "../translation.ts";
import { scalarType, typeOf } from "../types.ts";
import type { Operator } from "./operator.ts";
import { expressionValues } from "./values.ts";

/** Operators that begin a query. */
export const sourceOperators: Readonly<Record<string, Operator>> = {
  PrintOperator: translatePrint,
  RangeOperator: translateRange,
};

function translatePrint(node: SyntaxNode, _input: Table | undefined, state: Translation): Table {
  const source = oneRow(state);
  const values = parts(node, "Expressions").flatMap((one) => expressionValues(one, source, state));
  const columns = columnsOf(node);
  return projected(
    source,
    values.map((value, index) => {
      const bound = columns[index];
      const type =
        bound === undefined || bound.type === "unknown" ? value.type : scalarType(bound.type);
      return { column: state.newColumn(bound?.name ?? "", type), value: cast(value, type) };
    }),
  );
}

function translateRange(node: SyntaxNode, _input: Table | undefined, state: Translation): Table {
  const type = scalarType(columnsOf(node)[0]?.type ?? typeOf(part(node, "From")));
  const column = state.newColumn(nameOf(part(node, "Name")), type);
  const [from, to, step] = ["From", "To", "Step"].map((name) => {
    return translateScalar(part(node, name), NO_SCOPE, state);
  });
  const none = literal(type, null);
  const stepType = type === "datetime" ? "timespan" : type;
  const order = [
    { value: use(column), descending: isNegative(step), nullsFirst: false, isNatural: true },
  ];
  return tableOfRelation({
    kind: "range",
    from: cast(from ?? none, type),
    to: cast(to ?? none, type),
    step: cast(step ?? none, stepType),
    columns: [column],
    order,
  });
}

function isNegative(step: ReturnType<typeof translateScalar> | undefined): boolean {
  if (step?.kind !== "literal") return false;
  const { value } = step;
  return (typeof value === "bigint" || typeof value === "number") && value < 0;
}
