import type { Json } from "../../types.ts";
import { isArray, isBag, memberOf } from "../dynamic/json.ts";

const STEP = /\.([^.[\]]+)|\[(-?\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** Keys and indexes from the root; null when the text is no such path. */
export function parseJsonPath(path: string): (string | number)[] | null {
  const trimmed = path.trim();
  if (!trimmed.startsWith("$")) return null;
  const steps: (string | number)[] = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < trimmed.length) {
    const match = STEP.exec(trimmed);
    if (match === null) return null;
    const [, dotted, index, single, double] = match;
    if (index === undefined) {
      steps.push(dotted ?? (single ?? double ?? "").replaceAll(/\\(.)/g, "$1"));
    } else steps.push(Number(index));
  }
  return steps;
}

/** The value at a path; undefined when there is none. An index below zero counts from the end. */
export function valueAtJsonPath(value: Json, path: readonly (string | number)[]): Json | undefined {
  let current: Json | undefined = value;
  for (const step of path) {
    if (current === undefined) return undefined;
    if (typeof step === "number") current = isArray(current) ? current.at(step) : undefined;
    else current = isBag(current) ? memberOf(current, step) : undefined;
  }
  return current;
}
