import { dynamicFunctions } from "./dynamic/index.ts";
import { encodingFunctions } from "./encoding/index.ts";
import { geoFunctions } from "./geo/functions.ts";
import { geoFunctions } from "./geo/functions.ts";
import { hashFunctions } from "./hash/index.ts";
import { netFunctions } from "./net/index.ts";
import { parsingFunctions } from "./parsing/index.ts";
import type { RuntimeFunction } from "./runtime-function.ts";
import { seriesFunctions } from "./series/index.ts";
import { statisticsFunctions } from "./statistics/index.ts";
import { textFunctions } from "./text/index.ts";
import { timeFunctions } from "./time/index.ts";

/** All functions in JavaScript. */
export const runtimeFunctions: readonly RuntimeFunction[] = [
  ...dynamicFunctions,
  ...encodingFunctions,
  ...geoFunctions,
  ...geoFunctions,
  ...hashFunctions,
  ...netFunctions,
  ...parsingFunctions,
  ...seriesFunctions,
  ...statisticsFunctions,
  ...textFunctions,
  ...timeFunctions,
];
