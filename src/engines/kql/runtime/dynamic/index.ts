import type { RuntimeFunction } from "../runtime-function.ts";
import { arrayFunctions } from "./arrays.ts";
import { bagFunctions } from "./bags.ts";
import { setFunctions } from "./sets.ts";
import { shapeFunctions } from "./shapes.ts";

/** Arrays, sets and bags, and what dynamic values look like. */
export const dynamicFunctions: readonly RuntimeFunction[] = [
  ...arrayFunctions,
  ...setFunctions,
  ...bagFunctions,
  ...shapeFunctions,
];
