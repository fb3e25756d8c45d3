import { mapScalar, type Scalar } from "../plan/scalar.ts";
import { use, type Translation } from "./translation.ts";
import type { Column } from "../plan/relation.ts";

/** A part of an expression that SQL computes, and the column that stands for it. */
export interface Lifted {
  readonly column: Column;
  readonly value: Scalar;
}

/**
 * Takes out of an expression what depends on nothing but some columns: SQL computes it once for
 * each row, and only the rest is left to JavaScript.
 */
export function lift(
  scalar: Scalar,
  isOwn: (id: number) => boolean,
  lifted: Lifted[],
  state: Translation,
): Scalar {
  if (scalar.kind === "column" || scalar.kind === "literal") return scalar;
  if (!columnIds(scalar).every(isOwn)) {
    return mapScalar(scalar, (child) => lift(child, isOwn, lifted, state));
  }
  const column = state.newColumn("", scalar.type);
  lifted.push({ column, value: scalar });
  return use(column);
}

function columnIds(scalar: Scalar): number[] {
  const ids: number[] = [];
  const visit = (one: Scalar): Scalar => {
    if (one.kind === "column") ids.push(one.id);
    mapScalar(one, visit);
    return one;
  };
  visit(scalar);
  return ids;
}
