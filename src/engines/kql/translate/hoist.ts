import { mapScalar, partsOf, type Scalar } from "../plan/scalar.ts";
import { use, withHidden, type NewValue, type Table, type Translation } from "./translation.ts";

/**
 * SQL allows a window function neither within another one nor in a condition. These become hidden
 * columns of the table, innermost first.
 */
export function hoistWindows(
  table: Table,
  scalars: readonly Scalar[],
  state: Translation,
  keepsOutermost: boolean,
): { table: Table; scalars: readonly Scalar[] } {
  let current = table;
  let rest = scalars;
  while (rest.some((one) => !isDone(one, keepsOutermost))) {
    const values: NewValue[] = [];
    rest = rest.map((one) => replaceInnermost(one, values, state, keepsOutermost));
    current = withHidden(current, values);
  }
  return { table: current, scalars: rest };
}

// A value that is nothing but a window function can stay where it is.
function isDone(scalar: Scalar, keepsOutermost: boolean): boolean {
  const depth = windowDepth(scalar);
  return depth === 0 || (keepsOutermost && depth === 1 && scalar.kind === "window");
}

/** How many window functions stand within each other. */
function windowDepth(scalar: Scalar): number {
  const inner = Math.max(0, ...partsOf(scalar).map(windowDepth));
  return scalar.kind === "window" ? inner + 1 : inner;
}

function replaceInnermost(
  scalar: Scalar,
  values: NewValue[],
  state: Translation,
  keepsOutermost: boolean,
): Scalar {
  if (isDone(scalar, keepsOutermost)) return scalar;
  if (scalar.kind === "window" && windowDepth(scalar) === 1) {
    const column = state.newColumn("", scalar.type);
    values.push({ column, value: scalar });
    return use(column);
  }
  return mapScalar(scalar, (child) => replaceInnermost(child, values, state, false));
}
