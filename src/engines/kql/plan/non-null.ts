import type { Relation } from "./relation.ts";
import type { Scalar } from "./scalar.ts";

/** Relations above each other that are looked through. */
const DEPTH_MAX = 32;

/** Whether a value cannot be null in any row of the relation; "no" when that does not show. */
export function isNonNull(value: Scalar, relation: Relation | undefined, depth = 0): boolean {
  if (value.type === "string") return true;
  if (value.kind === "literal") return value.value !== null;
  if (value.kind !== "column" || relation === undefined || depth > DEPTH_MAX) return false;
  return columnIsNonNull(value.id, relation, depth + 1);
}

function columnIsNonNull(id: number, relation: Relation, depth: number): boolean {
  const at = relation.columns.findIndex((column) => column.id === id);
  if (at === -1) return false;
  if (relation.kind === "range") return true;
  if (relation.kind === "values") return relation.rows.every((row) => row[at] !== null);
  if (relation.kind === "take" || relation.kind === "first" || relation.kind === "filter") {
    const isTested = relation.kind === "filter" && excludesNull(relation.condition, id);
    return isTested || columnIsNonNull(id, relation.input, depth);
  }
  const { value, input } = originOf(relation, at);
  return value !== undefined && isNonNull(value, input, depth);
}

/** The value that the column at a place has, and the relation that this is over. */
function originOf(
  relation: Relation,
  at: number,
): { readonly value?: Scalar | undefined; readonly input?: Relation | undefined } {
  if (relation.kind === "project") return { value: relation.values[at], input: relation.input };
  if (relation.kind === "summarize") return { value: relation.keys[at], input: relation.input };
  const column = relation.kind === "shared" ? relation.of.columns[at] : undefined;
  if (column === undefined || relation.kind !== "shared") return {};
  return { value: { kind: "column", id: column.id, type: column.type }, input: relation.of };
}

const COMPARISONS = new Set(["<", "<=", ">", ">=", "between", "in", "isnotnull", "isnotempty"]);

/** Whether the condition holds only where the column has a value. */
function excludesNull(condition: Scalar, id: number): boolean {
  if (condition.kind !== "call") return false;
  if (condition.name === "and") return condition.args.some((one) => excludesNull(one, id));
  const [value, other] = condition.args;
  if (value?.kind !== "column" || value.id !== id) return false;
  if (condition.name === "==") return other?.kind === "literal" && other.value !== null;
  return COMPARISONS.has(condition.name);
}
