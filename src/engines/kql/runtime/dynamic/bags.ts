import type { Json, JsonBag } from "../../types.ts";
import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { variadicFunction } from "../variadic-function.ts";
import { bagPath, valueAt, withoutPath, withValueAt } from "./bag-path.ts";
import { canonicalJson, isArray, isBag } from "./json.ts";

export const bagFunctions: readonly RuntimeFunction[] = [
  runtimeFunction("bag_keys", ["dynamic"], "dynamic", (bag) =>
    isBag(bag) ? Object.keys(bag) : null,
  ),
  runtimeFunction("bag_has_key", ["dynamic", "string"], "bool", (bag, key) =>
    isBag(bag)
      ? valueAt(bag, [key]) !== undefined || valueAt(bag, bagPath(key)) !== undefined
      : null,
  ),
  runtimeFunction("bag_set_key", ["dynamic", "string", "dynamic?"], "dynamic", (bag, key, value) =>
    isBag(bag) ? withValueAt(bag, bagPath(key), value) : null,
  ),
  runtimeFunction("bag_remove_keys", ["dynamic", "dynamic"], "dynamic", removeKeys),
  runtimeFunction("bag_zip", ["dynamic", "dynamic"], "dynamic", zipBag),
  variadicFunction({ name: "bag_merge", first: [], rest: "any", returns: "dynamic" }, merge),
  runtimeFunction("make_bag_of", ["dynamic", "long?"], "dynamic", makeBag),
  runtimeFunction("dynamic_to_json", ["dynamic?"], "string", canonicalJson),
];

function removeKeys(bag: Json, keys: Json): Json {
  if (!isBag(bag) || !isArray(keys)) return null;
  const paths = keys.filter((key) => typeof key === "string").map(bagPath);
  return paths.reduce((rest: JsonBag, path) => withoutPath(rest, path), bag);
}

/** A key that is no text is left out with its value; a missing value is null. */
function zipBag(keys: Json, values: Json): Json {
  if (!isArray(keys) || !isArray(values)) return null;
  const pairs = keys.map((key, at) => [key, values[at] ?? null] as const);
  return firstOfEachKey(pairs);
}

/** The leftmost value of a key wins; what is no bag is left out; null when nothing is a bag. */
function merge(bags: readonly Json[]): Json {
  const found = bags.filter((bag) => bag !== null && isBag(bag));
  return found.length === 0 ? null : firstOfEachKey(found.flatMap((bag) => Object.entries(bag)));
}

/** The bag of all rows' bags; with a limit, of so many keys. */
function makeBag(rows: Json, keysMax: bigint | null): Json {
  const bags = isArray(rows) ? rows.filter((row) => row !== null && isBag(row)) : [];
  const bag = firstOfEachKey(bags.flatMap((row) => Object.entries(row)));
  if (keysMax === null) return bag;
  return Object.fromEntries(Object.entries(bag).slice(0, Number(keysMax)));
}

/** What has no text for a key is left out. */
function firstOfEachKey(entries: readonly (readonly [Json, Json])[]): JsonBag {
  const members = new Map<string, Json>();
  for (const [key, value] of entries) {
    if (typeof key === "string" && !members.has(key)) members.set(key, value);
  }
  return Object.fromEntries(members);
}
