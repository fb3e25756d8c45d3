import type { RuntimeFunction } from "../runtime-function.ts";
import { punycodeFunctions } from "./punycode-functions.ts";
import { regexFunctions } from "./regex-functions.ts";
import { plainTextFunctions } from "./text-functions.ts";

/** Searching, replacing, repeating and encoding of text. */
export const textFunctions: readonly RuntimeFunction[] = [
  ...plainTextFunctions,
  ...regexFunctions,
  ...punycodeFunctions,
];
