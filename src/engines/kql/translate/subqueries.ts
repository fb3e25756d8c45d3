import { KqlError } from "../kql-error.ts";
import type { SyntaxNode } from "../language/syntax.ts";
import { cast, literal, type Scalar } from "../plan/scalar.ts";
import type { KqlType } from "../types.ts";
import { isTabular } from "../language/syntax.ts";
import {
  NO_SCOPE,
  projected,
  showing,
  use,
  type Translation,
  translateScalar,
  translateTabular,
} from "./translation.ts";

/** `toscalar(…)`: the first value of the first row; of a scalar, the scalar. */
export function scalarSubquery(node: SyntaxNode, type: KqlType, state: Translation): Scalar {
  if (!isTabular(node)) return translateScalar(node, NO_SCOPE, state);
  const table = translateTabular(node, state);
  const [first] = table.columns;
  if (first === undefined)
    throw new KqlError("semantic", "toscalar() needs a table with a column.");
  const one = projected(showing(table, [first]), [{ column: first, value: use(first) }]);
  return cast({ kind: "subquery", relation: one.relation, type: first.type }, type);
}

/** The set on the right of `in (table)`: its first column. */
export function setSubquery(node: SyntaxNode, state: Translation): Scalar {
  const table = translateTabular(node, state);
  const [first] = table.columns;
  if (first === undefined) return literal("dynamic", []);
  const one = projected({ ...showing(table, [first]), order: [], group: [] }, [
    { column: first, value: use(first) },
  ]);
  return {
    kind: "subquery",
    relation: { ...one.relation, order: [] },
    type: first.type,
    isSet: true,
  };
}
