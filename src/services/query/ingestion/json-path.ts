import { isArray } from "#engines/duckdb/json-text.ts";
import type { Json, JsonBag } from "#engines/kql/types.ts";
import { IngestionError } from "./ingestion-error.ts";

/** Names of properties and indexes of arrays, from the outside in. */
export type JsonPath = readonly (string | number)[];

const STEP =
  /\.([^.[\]'"]+)|\[(\d+)\]|\.?\['((?:[^'\\]|\\.)*)'\]|\.?\["((?:[^"\\]|\\.)*)"\]|\.\["?\]/uy;

/** Reads `$.a.b[0]['c d']`, or the plain name of a property; `$` is the record itself. */
export function parseJsonPath(text: string): JsonPath {
  if (!text.startsWith("$")) return [text];
  const path: (string | number)[] = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < text.length) {
    const at = STEP.lastIndex;
    const [matched, name, index, single, double] = STEP.exec(text) ?? [];
    if (matched === undefined) {
      throw new IngestionError("mapping", `The path '${text}' cannot be read from ${at} on.`);
    }
    const property = name ?? (single ?? double)?.replaceAll(/\\(.)/gu, "$1");
    path.push(index === undefined ? (property ?? "") : Number(index));
  }
  return path;
}

/** The value at a path; undefined when there is none. */
export function readJsonPath(value: Json, path: JsonPath): Json | undefined {
  let found: Json | undefined = value;
  for (const step of path) {
    if (typeof found !== "object" || found === null) return undefined;
    found = isArray(found) ? found[Number(step)] : propertyOf(found, step);
  }
  return found;
}

function propertyOf(bag: JsonBag, step: string | number): Json | undefined {
  return Object.hasOwn(bag, step) ? bag[step] : undefined;
}

/** The value without what lies at these paths, which begin at the value itself. */
export function withoutPaths(value: Json, paths: readonly JsonPath[]): Json {
  if (typeof value !== "object" || value === null || isArray(value)) return value;
  const kept: Record<string, Json> = {};
  for (const [key, part] of Object.entries(value)) {
    const inside = paths.filter(([first]) => first === key).map((path) => path.slice(1));
    if (inside.some(({ length }) => length === 0)) continue;
    kept[key] = inside.length === 0 ? part : withoutPaths(part, inside);
  }
  return kept;
}
