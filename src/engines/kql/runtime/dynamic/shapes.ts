import type { Json, JsonBag } from "../../types.ts";
import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { canonicalJson, isArray, isBag } from "./json.ts";

/** Stands for all elements of an array in a schema. */
const INDEXER = "`indexer`";
/** Bytes of a value whose type has one size. */
const SIZES = {
  bool: 1,
  int: 4,
  long: 8,
  real: 8,
  datetime: 8,
  timespan: 8,
  guid: 16,
  decimal: 16,
};

export const shapeFunctions: readonly RuntimeFunction[] = [
  runtimeFunction("treepath", ["dynamic"], "dynamic", (value) => [...new Set(pathsOf(value, ""))]),
  runtimeFunction("buildschema_of", ["dynamic"], "dynamic", (rows) =>
    isArray(rows) && rows.some((row) => row !== null) ? writeSchema(schemaOf(rows)) : null,
  ),
  runtimeFunction("gettype", ["dynamic?"], "string", typeName),
  runtimeFunction("estimate_data_size", ["string"], "long", (text) =>
    BigInt(Buffer.byteLength(text)),
  ),
  ...(["bool", "int", "long", "real", "datetime", "timespan", "guid", "decimal"] as const).map(
    (type) =>
      runtimeFunction(`estimate_data_size`, [`${type}?`], "long", () => BigInt(SIZES[type])),
  ),
  runtimeFunction("estimate_data_size", ["dynamic?"], "long", (value) =>
    BigInt(Buffer.byteLength(canonicalJson(value))),
  ),
];

/** Paths to all that is in a value; all elements of an array have the index 0. */
function pathsOf(value: Json, path: string): string[] {
  if (isArray(value)) return value.flatMap((element) => pathsFrom(element, `${path}[0]`));
  if (!isBag(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => pathsFrom(member, `${path}['${key}']`));
}

function pathsFrom(value: Json, path: string): string[] {
  return [path, ...pathsOf(value, path)];
}

/** What a dynamic value holds, by the names that `gettype` gives. */
function typeName(value: Json): string {
  if (value === null) return "null";
  if (isArray(value)) return "array";
  if (typeof value === "object") return "dictionary";
  if (typeof value === "bigint") return "long";
  if (typeof value === "number") return Number.isSafeInteger(value) ? "long" : "double";
  return typeof value === "boolean" ? "bool" : "string";
}

/** All that was met in one place: simple types by name, the members of bags, array elements. */
interface Schema {
  readonly types: readonly string[];
  readonly members: ReadonlyMap<string, readonly Json[]>;
  readonly elements: readonly Json[] | null;
}

function schemaOf(values: readonly Json[]): Schema {
  const types = values.filter((value) => typeof value !== "object").map(typeName);
  const members = new Map<string, Json[]>();
  for (const [key, value] of values.filter(isBag).flatMap((bag) => Object.entries(bag))) {
    members.set(key, [...(members.get(key) ?? []), value]);
  }
  const arrays = values.filter(isArray);
  return {
    types: [...new Set(types)],
    members,
    elements: arrays.length > 0 ? arrays.flat() : null,
  };
}

/** One alternative stands alone, several in an array. */
function writeSchema({ types, members, elements }: Schema): Json {
  const inner = [...members].map(([key, values]) => [key, writeSchema(schemaOf(values))] as const);
  const indexer = elements === null ? [] : [[INDEXER, writeSchema(schemaOf(elements))] as const];
  const shape: JsonBag = Object.fromEntries([...inner, ...indexer]);
  const alternatives: Json[] = [...types, ...(Object.keys(shape).length > 0 ? [shape] : [])];
  return alternatives.length === 1 ? (alternatives[0] ?? null) : alternatives;
}
