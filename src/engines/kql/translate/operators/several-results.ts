import { maybe, nameOf, part, parts, type SyntaxNode } from "../../language/syntax.ts";
import type { Aggregate } from "../../plan/scalar.ts";
import { KqlError } from "../../kql-error.ts";
import { renewed } from "../table-shapes.ts";
import { translateTabular, type Table, type Translation } from "../translation.ts";
import { inputOf, scalarOver, type Operator } from "./operator.ts";
import { summarized } from "./summarize.ts";

/** Operators that end a query with several tables. */
export const severalOperators: Readonly<Record<string, Operator>> = {
  ForkOperator: translateFork,
  FacetOperator: translateFacet,
};

/** `fork (…) name=(…)`: a table for each subquery. */
function translateFork(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const table = inputOf(input, node);
  const made = parts(node, "Expressions").map((one) => {
    return translateTabular(part(one, "Expression"), state, renewed(table, state));
  });
  return firstOf(made, state);
}

/** `facet by a, b with (…)`: how often each value of a column occurs, and then the subquery. */
function translateFacet(node: SyntaxNode, input: Table | undefined, state: Translation): Table {
  const table = inputOf(input, node);
  const counts = parts(node, "Expressions").map((one): Table => {
    const source = renewed(table, state);
    const count: Aggregate = {
      kind: "aggregate",
      name: "count",
      args: [],
      type: "long",
      order: [],
    };
    const names = [nameOf(one), `count_${nameOf(one)}`];
    const keys = [scalarOver(one, source, state)];
    return summarized(source, { keys, aggregates: [count], names }, state);
  });
  const clause = maybe(node, "WithClause");
  if (clause === undefined) return firstOf(counts, state);
  const rest = translateTabular(part(clause, "Expression"), state, renewed(table, state));
  return firstOf([...counts, rest], state);
}

/** The first of the tables; the others follow it as results of their own. */
export function firstOf([first, ...others]: readonly Table[], state: Translation): Table {
  if (first === undefined) throw new KqlError("semantic", "There is no table to show.");
  if (state.depth > 0 || state.furtherTables.length > 0) {
    throw new KqlError("unsupported", "Several tables can only be the end of a query.");
  }
  state.furtherTables.push(...others);
  return first;
}
