import { KqlError } from "../../kql-error.ts";
import type { Json } from "../../types.ts";
import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { variadicFunction } from "../variadic-function.ts";
import { allArrays, canonicalJson, isArray, isNumber } from "./json.ts";
import { arraySorter } from "./sorting.ts";

/** Most elements of an array that a function makes from nothing. */
const MADE_MAX = 1_048_576n;

export const arrayFunctions: readonly RuntimeFunction[] = [
  variadicFunction(
    { name: "array_sort_asc", first: [], rest: "any", returns: "dynamic" },
    arraySorter(1),
  ),
  variadicFunction(
    { name: "array_sort_desc", first: [], rest: "any", returns: "dynamic" },
    arraySorter(-1),
  ),
  runtimeFunction("array_rotate_left", ["dynamic", "long"], "dynamic", rotateLeft),
  runtimeFunction("array_rotate_right", ["dynamic", "long"], "dynamic", (array, count) =>
    rotateLeft(array, -count),
  ),
  runtimeFunction("array_shift_left", ["dynamic", "long", "dynamic?"], "dynamic", shiftLeft),
  runtimeFunction(
    "array_shift_right",
    ["dynamic", "long", "dynamic?"],
    "dynamic",
    (array, count, filler) => shiftLeft(array, -count, filler),
  ),
  runtimeFunction("array_split", ["dynamic", "dynamic"], "dynamic", split),
  runtimeFunction("array_slice", ["dynamic", "long", "long"], "dynamic", slice),
  runtimeFunction(
    "array_index_of",
    ["dynamic", "dynamic?", "long?", "long?", "long?"],
    "long",
    (array, value, ...[start, length, occurrence]) =>
      indexOf(array, value, [start ?? 0n, length ?? -1n, occurrence ?? 1n]),
  ),
  ...["array_iff", "array_iif"].map((name) =>
    runtimeFunction(name, ["dynamic", "dynamic?", "dynamic?"], "dynamic", choose),
  ),
  runtimeFunction("array_reverse", ["dynamic"], "dynamic", (array) =>
    isArray(array) ? array.toReversed() : null,
  ),
  runtimeFunction("array_sum", ["dynamic"], "real", (array) =>
    isArray(array) && array.every(isNumber)
      ? array.reduce<number>((sum, value) => sum + Number(value), 0)
      : null,
  ),
  variadicFunction({ name: "zip", first: [], rest: "dynamic", returns: "dynamic" }, zip),
  runtimeFunction("repeat", ["dynamic?", "long"], "dynamic", (value, count) =>
    count < 0n ? null : Array.from({ length: madeLength(count) }, () => value),
  ),
];

function rotateLeft(array: Json, count: bigint): Json {
  if (!isArray(array) || array.length === 0) return array;
  const length = BigInt(array.length);
  const start = Number(((count % length) + length) % length);
  return [...array.slice(start), ...array.slice(0, start)];
}

/** Without a filler, texts are missing as `""` and all else as null. */
function shiftLeft(array: Json, count: bigint, filler: Json): Json {
  if (!isArray(array)) return null;
  const missing = array.every((element) => typeof element === "string") ? "" : null;
  return array.map((_, at) => {
    const from = BigInt(at) + count;
    const isInside = from >= 0n && from < array.length;
    return isInside ? (array[Number(from)] ?? null) : (filler ?? missing);
  });
}

/** Before each index a new array begins; a negative index counts from the end. */
function split(array: Json, indices: Json): Json {
  if (!isArray(array)) return null;
  const wanted = isArray(indices) ? indices : [indices];
  if (!wanted.every(isNumber)) return null;
  const parts: Json[] = [];
  let start = 0;
  for (const index of wanted.map(Number)) {
    const end = Math.max(start, index < 0 ? Math.max(index + array.length, 0) : index);
    parts.push(array.slice(start, end));
    start = end;
  }
  return [...parts, array.slice(start)];
}

/** Both ends are included; negative ones count from the end. */
function slice(array: Json, start: bigint, end: bigint): Json {
  if (!isArray(array)) return null;
  const length = BigInt(array.length);
  const from = start < 0n ? start + length : start;
  const to = end < 0n ? end + length : end;
  return array.filter((_, at) => at >= from && at <= to);
}

/** -1 when there is no such element, null when the arguments are out of range. */
function indexOf(
  array: Json,
  value: Json,
  [start, length, occurrence]: readonly [bigint, bigint, bigint],
): bigint | null {
  if (!isArray(array) || length < -1n || occurrence < 1n) return null;
  const wanted = canonicalJson(value);
  const first = start < 0n ? start + BigInt(array.length) : start;
  const last = length === -1n ? BigInt(array.length) : first + length;
  const found = Array.from(array.keys()).filter(
    (at) => at >= first && at < last && canonicalJson(array[at] ?? null) === wanted,
  );
  return BigInt(found[Number(occurrence) - 1] ?? -1);
}

/** Conditions are booleans or numbers; an element for any other condition is null. */
function choose(conditions: Json, whenTrue: Json, whenFalse: Json): Json {
  if (!isArray(conditions)) return null;
  return conditions.map((condition, at) => {
    if (typeof condition !== "boolean" && !isNumber(condition)) return null;
    const chosen = Number(condition) === 0 ? whenFalse : whenTrue;
    return isArray(chosen) ? (chosen[at] ?? null) : chosen;
  });
}

/** As long as the longest array; what is missing is null. */
function zip(values: readonly Json[]): Json {
  const arrays = allArrays(values);
  if (arrays === null) return null;
  const length = Math.max(...arrays.map((array) => array.length));
  return Array.from({ length }, (_, at) => arrays.map((array) => array[at] ?? null));
}

function madeLength(count: bigint): number {
  if (count <= MADE_MAX) return Number(count);
  const sentence = `repeat() makes at most ${MADE_MAX} elements, not ${count}.`;
  throw new KqlError("limit", sentence);
}
