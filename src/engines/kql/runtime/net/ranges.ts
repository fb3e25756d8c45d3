import type { Json } from "../../types.ts";

/** The texts among the elements of an array; a text alone is an array of one. */
export function textsOf(list: Json | readonly (string | null)[]): string[] {
  const elements = Array.isArray(list) ? list : [list];
  return elements.filter((element) => typeof element === "string");
}

/** True when one range holds the address, null when a text is no address, else false. */
export function isInAnyRange(
  text: string,
  ranges: readonly string[],
  isInRange: (text: string, range: string) => boolean | null,
): boolean | null {
  const answers = new Set(ranges.map((range) => isInRange(text, range)));
  if (answers.has(true)) return true;
  return answers.has(null) ? null : false;
}
