import type { Json } from "../../types.ts";
import { runtimeFunction, type RuntimeFunction } from "../runtime-function.ts";
import { parsePairs, type PairFormat } from "./parse-kv.ts";

/** Functions that operators are made of; the language does not show them. */
export const rowFunctions: readonly RuntimeFunction[] = [
  runtimeFunction("parse_kv", ["string", "dynamic"], "dynamic", (text, format): Json => {
    // The operator writes the format itself.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return Object.fromEntries(parsePairs(text, format as unknown as PairFormat));
  }),
];
