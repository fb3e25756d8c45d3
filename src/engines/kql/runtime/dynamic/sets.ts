import type { Json } from "../../types.ts";
import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { variadicFunction } from "../variadic-function.ts";
import { allArrays, canonicalJson, isArray } from "./json.ts";

type Combine = (first: Distinct, others: readonly Distinct[]) => Json;
/** The distinct elements in the order in which they first came, by their canonical text. */
type Distinct = ReadonlyMap<string, Json>;

export const setFunctions: readonly RuntimeFunction[] = [
  setFunction("set_union", (first, others) => [...union(first, others).values()]),
  setFunction("set_intersect", (first, others) => [...intersect(first, others).values()]),
  setFunction("set_difference", (first, others) =>
    elements(first, (key) => !others.some((other) => other.has(key))),
  ),
  setFunction("jaccard_index", (first, others) => {
    const size = union(first, others).size;
    return size === 0 ? null : intersect(first, others).size / size;
  }),
  runtimeFunction("make_set_of", ["dynamic", "long?"], "dynamic", makeSet),
  runtimeFunction("set_has_element", ["dynamic", "dynamic?"], "bool", (set, value) =>
    isArray(set) ? distinct(set).has(canonicalJson(value)) : null,
  ),
  runtimeFunction("set_equals", ["dynamic", "dynamic"], "bool", (one, other) => {
    if (!isArray(one) || !isArray(other)) return null;
    const [left, right] = [distinct(one), distinct(other)];
    return left.size === right.size && intersect(left, [right]).size === left.size;
  }),
];

/** Null when one of the arguments is no array. */
function setFunction(name: string, combine: Combine): RuntimeFunction {
  return variadicFunction({ name, first: [], rest: "dynamic", returns: "dynamic" }, (values) => {
    const [first, ...others] = allArrays(values)?.map(distinct) ?? [];
    return first === undefined ? null : combine(first, others);
  });
}

/** The distinct values of all rows, at most so many; arrays give their elements, nulls nothing. */
function makeSet(rows: Json, sizeMax: bigint | null): Json {
  const values = (isArray(rows) ? rows : []).flatMap((row) => (isArray(row) ? row : [row]));
  const found = [...distinct(values.filter((value) => value !== null)).values()];
  return sizeMax === null ? found : found.slice(0, Number(sizeMax));
}

function distinct(array: readonly Json[]): Distinct {
  const found = new Map<string, Json>();
  for (const value of array) {
    const key = canonicalJson(value);
    if (!found.has(key)) found.set(key, value);
  }
  return found;
}

function union(first: Distinct, others: readonly Distinct[]): Distinct {
  const all = new Map(first);
  for (const [key, value] of others.flatMap((other) => [...other])) {
    if (!all.has(key)) all.set(key, value);
  }
  return all;
}

function intersect(first: Distinct, others: readonly Distinct[]): Distinct {
  return new Map([...first].filter(([key]) => others.every((other) => other.has(key))));
}

function elements(set: Distinct, isWanted: (key: string) => boolean): Json[] {
  return [...set].filter(([key]) => isWanted(key)).map(([, value]) => value);
}
