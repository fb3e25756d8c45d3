import { KqlError } from "../kql-error.ts";
import { isTabular, kindOf, nameOf, type SyntaxNode } from "../language/syntax.ts";
import { call, literal, type Scalar } from "../plan/scalar.ts";
import { argumentsOf } from "./call-parts.ts";
import {
  EXTENT_COLUMN,
  INGESTED_COLUMN,
  translateScalar,
  translateTabular,
  use,
  type Scope,
  type Translation,
} from "./translation.ts";

type ColumnFunction = (node: SyntaxNode, scope: Scope, state: Translation) => Scalar;

/** Functions about columns, and about where rows are kept. */
export const columnFunctions: Readonly<Record<string, ColumnFunction>> = {
  bag_pack_columns: (node, scope, state) => {
    const args = argumentsOf(node).flatMap((one) => [
      literal("string", kindOf(one) === "NameReference" ? nameOf(one) : ""),
      translateScalar(one, scope, state),
    ]);
    return { kind: "call", name: "bag_pack", args, type: "dynamic" };
  },
  column_names_of: (node, _scope, state) => {
    const [table] = argumentsOf(node);
    if (table === undefined) throw new KqlError("semantic", "column_names_of() needs a table.");
    return literal(
      "dynamic",
      translateTabular(table, state).columns.map(({ name }) => name),
    );
  },
  estimate_data_size: (node, scope, state) => {
    const values = argumentsOf(node).flatMap((one): Scalar[] => {
      if (kindOf(one) === "StarExpression") return (scope.table?.columns ?? []).map(use);
      return [translateScalar(one, scope, state)];
    });
    const sizes = values.map((value) => call("estimate_data_size", "long", value));
    const [first = literal("long", 0n), ...rest] = sizes;
    return rest.reduce((sum: Scalar, size) => call("+", "long", sum, size), first);
  },
  ingestion_time: (_node, scope) => system(INGESTED_COLUMN, "datetime", scope),
  extent_id: (_node, scope) => call("toguid", "guid", system(EXTENT_COLUMN, "string", scope)),
  extentid: (_node, scope) => call("toguid", "guid", system(EXTENT_COLUMN, "string", scope)),
  cursor_current: () => call("tostring", "string", call("tolong", "long", call("now", "datetime"))),
  current_cursor: () => call("tostring", "string", call("tolong", "long", call("now", "datetime"))),
  cursor_after: (node, scope, state) => since(">", node, scope, state),
  cursor_before_or_at: (node, scope, state) => since("<=", node, scope, state),
};

/** A hidden column of a stored table; null where rows do not come from one. */
function system(name: string, type: "datetime" | "string", scope: Scope): Scalar {
  const column = scope.table?.relation.columns.find((one) => one.name === name);
  return column === undefined ? literal(type, type === "string" ? "" : null) : use(column);
}

/** A cursor is a moment of ingestion, in ticks; the empty one is before all of them. */
function since(sign: ">" | "<=", node: SyntaxNode, scope: Scope, state: Translation): Scalar {
  const [cursor] = argumentsOf(node);
  if (cursor === undefined || isTabular(cursor)) {
    throw new KqlError("semantic", "A cursor function needs a cursor.");
  }
  const ticks = call("tolong", "long", translateScalar(cursor, scope, state));
  const limit = call("coalesce", "long", ticks, literal("long", 0n));
  const ingested = system(INGESTED_COLUMN, "datetime", scope);
  return call(sign, "bool", call("tolong", "long", ingested), limit);
}
