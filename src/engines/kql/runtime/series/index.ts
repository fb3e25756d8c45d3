import type { RuntimeFunction } from "../runtime-function.ts";
import { decomposeFunctions } from "./decompose-functions.ts";
import { elementwiseFunctions } from "./elementwise.ts";
import { fillFunctions } from "./fill.ts";
import { filterFunctions } from "./filters.ts";
import { fitFunctions } from "./fits.ts";
import { fourierFunctions } from "./fourier.ts";
import { outlierFunctions } from "./outliers.ts";
import { periodFunctions } from "./periods.ts";
import { totalFunctions } from "./totals.ts";

/** Numeric arrays that are taken as series; several columns come as one array, in their order. */
export const seriesFunctions: readonly RuntimeFunction[] = [
  ...elementwiseFunctions,
  ...totalFunctions,
  ...fillFunctions,
  ...filterFunctions,
  ...fourierFunctions,
  ...fitFunctions,
  ...periodFunctions,
  ...decomposeFunctions,
  ...outlierFunctions,
];
