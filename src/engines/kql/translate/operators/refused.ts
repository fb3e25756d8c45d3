import { unsupported } from "../translation.ts";
import type { Operator } from "./operator.ts";

/** Operators that are refused for good, each with its reason. */
export const refusedOperators: Readonly<Record<string, Operator>> = {
  ReduceByOperator: (node) => {
    throw unsupported(
      node,
      "The operator reduce is not supported: how the service picks its patterns is not published.",
    );
  },
};
