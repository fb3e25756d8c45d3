import { dynamicFunctions } from "./dynamic/index.ts";
import { encodingFunctions } from "./encoding/index.ts";
import { geoFunctions } from "./geo/functions.ts";
import { hashFunctions } from "./hash/index.ts";
import { netFunctions } from "./net/index.ts";
import { parsingFunctions } from "./parsing/index.ts";
import { rowFunctions } from "./rows/index.ts";
import type { RuntimeFunction } from "./runtime-function.ts";
import { seriesFunctions } from "./series/index.ts";
import { sketchFunctions } from "./sketches/index.ts";
import { statisticsFunctions } from "./statistics/index.ts";
import { textFunctions } from "./text/index.ts";
import { timeFunctions } from "./time/index.ts";
import { unitFunctions } from "./units/index.ts";

/** Every function of the language that runs in JavaScript. */
export const runtimeFunctions: readonly RuntimeFunction[] = [
  ...dynamicFunctions,
  ...encodingFunctions,
  ...geoFunctions,
  ...hashFunctions,
  ...netFunctions,
  ...parsingFunctions,
  ...rowFunctions,
  ...seriesFunctions,
  ...sketchFunctions,
  ...statisticsFunctions,
  ...textFunctions,
  ...timeFunctions,
  ...unitFunctions,
];
