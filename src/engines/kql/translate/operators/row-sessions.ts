import { KqlError } from "../../kql-error.ts";
import { kindOf, nameOf, walk, type SyntaxNode } from "../../language/syntax.ts";
import type { Column } from "../../plan/relation.ts";
import { cast, literal, type Scalar } from "../../plan/scalar.ts";
import { sessionStarts } from "../../runtime/rows/sessions.ts";
import { argumentsOf } from "../call-parts.ts";
import { showing, translateScalar, use, type Table, type Translation } from "../translation.ts";
import { typeOf } from "../types.ts";
import { computedRows, type Row } from "./computed-rows.ts";

export const SESSION_FUNCTION = "row_window_session";

// Where each call finds its value, until the operator that it stands in is translated.
const columnOfCall = new WeakMap<SyntaxNode, Column>();

/** The column of a call that `withSessions` has made ready. */
export function sessionColumn(node: SyntaxNode): Column {
  const column = columnOfCall.get(node);
  if (column !== undefined) return column;
  throw new KqlError("unsupported", `${SESSION_FUNCTION}() cannot be used here.`);
}

/** Values that one call reads: moment, both distances, and whether a session starts anyway. */
const ARGUMENTS = 4;

/**
 * `row_window_session` depends on its own result in the row before, which SQL has no window for:
 * each call in the expressions becomes a hidden column of the table, made in JavaScript.
 */
export function withSessions(
  table: Table,
  nodes: readonly SyntaxNode[],
  state: Translation,
): Table {
  const calls = nodes.flatMap((node) => [...walk(node)].filter(isSessionCall));
  if (calls.length === 0 || !table.isSerialized) return table;
  const width = table.columns.length;
  const values = calls.flatMap((one) => argumentsOfCall(one, table, state));
  const hidden = calls.map((one) => ({ name: "", type: typeOf(one) }));
  const make = (rows: readonly Row[]): Row[] => {
    const starts = calls.map((_call, index) => {
      const from = width + index * ARGUMENTS;
      return sessionStarts(rows.map((row) => row.slice(from, from + ARGUMENTS)));
    });
    return rows.map((row, at) => [
      ...row.slice(0, width),
      ...starts.map((column) => column[at] ?? null),
    ]);
  };
  const made = computedRows(
    [{ table, values: [...table.columns.map(use), ...values] }],
    { columns: [...table.columns, ...hidden], make },
    state,
  );
  calls.forEach((one, index) => {
    const column = made.columns[width + index];
    if (column !== undefined) columnOfCall.set(one, column);
  });
  return { ...showing(made, made.columns.slice(0, width)), isSerialized: true };
}

function isSessionCall(node: SyntaxNode): boolean {
  return kindOf(node) === "FunctionCallExpression" && nameOf(node) === SESSION_FUNCTION;
}

function argumentsOfCall(node: SyntaxNode, table: Table, state: Translation): Scalar[] {
  const [at, fromFirst, between, restart] = argumentsOf(node).map((one) =>
    translateScalar(one, { table }, state),
  );
  if (at === undefined || fromFirst === undefined || between === undefined) {
    throw new KqlError("semantic", `${SESSION_FUNCTION}() needs a value and two distances.`);
  }
  const starts = restart === undefined ? literal("bool", false) : cast(restart, "bool");
  return [at, fromFirst, between, starts];
}
