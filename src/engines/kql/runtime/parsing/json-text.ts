import type { Json } from "../../types.ts";

const INTEGER = /^-?\d+$/;

/** Reads JSON with all digits of its integers; undefined when the text is no JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    // Only the reviver makes what the type of `Json` does not already describe.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return JSON.parse(text, exactInteger) as Json;
  } catch {
    return undefined;
  }
}

/** As the language reads dynamic text: what is no JSON is a string, and nothing is null. */
export function readDynamic(text: string): Json {
  if (text === "") return null;
  const value = parseJson(text);
  return value === undefined ? text : value;
}

function exactInteger(_key: string, value: unknown, context?: { readonly source?: string }) {
  const source = context?.source ?? "";
  const isRounded = typeof value === "number" && !Number.isSafeInteger(value);
  return isRounded && INTEGER.test(source) ? BigInt(source) : value;
}
