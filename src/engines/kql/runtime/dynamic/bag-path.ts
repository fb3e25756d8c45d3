import type { Json, JsonBag } from "../../types.ts";
import { isBag, memberOf } from "./json.ts";

const STEP = /\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** The keys of a path such as `$.a.b` or `$['a']`; any other text is one key. */
export function bagPath(text: string): string[] {
  if (!text.startsWith("$")) return [text];
  const keys: string[] = [];
  STEP.lastIndex = 1;
  for (let at = 1; at < text.length; at = STEP.lastIndex) {
    const match = STEP.exec(text);
    if (match === null) return [text];
    keys.push(match[1] ?? (match[2] ?? match[3] ?? "").replaceAll(/\\(.)/g, "$1"));
  }
  return keys.length === 0 ? [text] : keys;
}

/** The value at a path through bags; undefined when there is none. */
export function valueAt(bag: Json, [key, ...rest]: readonly string[]): Json | undefined {
  if (key === undefined) return bag;
  const value = isBag(bag) ? memberOf(bag, key) : undefined;
  return value === undefined ? undefined : valueAt(value, rest);
}

/** A copy with the value at the path, in bags made on the way where there are none. */
export function withValueAt(bag: JsonBag, path: readonly string[], value: Json): JsonBag {
  const [key = "", ...rest] = path;
  const inner = memberOf(bag, key) ?? null;
  const changed = rest.length === 0 ? value : withValueAt(isBag(inner) ? inner : {}, rest, value);
  return Object.fromEntries([...Object.entries(bag), [key, changed]]);
}

/** A copy without what is at the path. */
export function withoutPath(bag: JsonBag, path: readonly string[]): JsonBag {
  const [key = "", ...rest] = path;
  const inner = memberOf(bag, key) ?? null;
  if (rest.length > 0)
    return isBag(inner) ? withValueAt(bag, [key], withoutPath(inner, rest)) : bag;
  return Object.fromEntries(Object.entries(bag).filter(([name]) => name !== key));
}
