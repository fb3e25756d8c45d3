import { createHash } from "node:crypto";
import type { KqlValue } from "../../types.ts";
import { type RuntimeFunction, runtimeFunction } from "../runtime-function.ts";
import { variadicFunction } from "../variadic-function.ts";
import { boolBytes, guidBytes, integerBytes, realBytes, textBytes } from "./value-bytes.ts";
import { xxhash64 } from "./xxhash64.ts";

const INTEGER_TYPES = ["long", "int", "datetime", "timespan"] as const;
/** The fractional bits of the golden ratio: spreads what is added to it over all bits. */
const GOLDEN_RATIO = 0x9e37_79b9_7f4a_7c15n;

/** `hash` is `hash_xxhash64`; the digests hash text, so other values come as their `tostring`. */
export const hashFunctions: readonly RuntimeFunction[] = [
  ...hashOverloads("hash"),
  ...hashOverloads("hash_xxhash64"),
  digest("hash_md5", "md5"),
  digest("hash_sha1", "sha1"),
  digest("hash_sha256", "sha256"),
  variadicFunction({ name: "hash_combine", first: [], rest: "long", returns: "long" }, (hashes) =>
    combine(hashes),
  ),
  variadicFunction({ name: "hash_many", first: [], rest: "any", returns: "long" }, (values) =>
    combine(values.map((value) => (value === null ? null : xxhash64(bytesOf(value))))),
  ),
];

function hashOverloads(name: string): RuntimeFunction[] {
  return [
    runtimeFunction(name, ["string", "long?"], "long", (value, modulus) =>
      hashOf(textBytes(value), modulus),
    ),
    ...INTEGER_TYPES.map((type) =>
      runtimeFunction(name, [type, "long?"], "long", (value, modulus) =>
        hashOf(bytesOf(value), modulus),
      ),
    ),
    runtimeFunction(name, ["real", "long?"], "long", (value, modulus) =>
      hashOf(realBytes(value), modulus),
    ),
    runtimeFunction(name, ["bool", "long?"], "long", (value, modulus) =>
      hashOf(boolBytes(value), modulus),
    ),
    runtimeFunction(name, ["guid", "long?"], "long", (value, modulus) =>
      hashOf(guidBytes(value), modulus),
    ),
    runtimeFunction(name, ["decimal", "long?"], "long", (value, modulus) =>
      hashOf(textBytes(value), modulus),
    ),
  ];
}

/** Hashes are unsigned where a remainder is taken, so that it is 0 to `modulus - 1`. */
function hashOf(bytes: Uint8Array, modulus: bigint | null): bigint | null {
  const hash = xxhash64(bytes);
  if (modulus === null) return hash;
  return modulus > 0n ? BigInt.asUintN(64, hash) % modulus : null;
}

/** By what a value holds: whole numbers hash as a long, all others as a real. */
function bytesOf(value: KqlValue): Uint8Array {
  if (typeof value === "bigint") return integerBytes(value);
  if (typeof value === "boolean") return boolBytes(value);
  if (typeof value === "string") return textBytes(value);
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? integerBytes(value) : realBytes(value);
  }
  return textBytes(JSON.stringify(value));
}

/** Depends on the order; a null takes part as 0. */
function combine(hashes: readonly (bigint | null)[]): bigint {
  const [first = 0n, ...others] = hashes.map((hash) => BigInt.asUintN(64, hash ?? 0n));
  const combined = others.reduce((sum, hash) => {
    const spread = hash + GOLDEN_RATIO + (sum << 6n) + (sum >> 2n);
    return sum ^ BigInt.asUintN(64, spread);
  }, first);
  return BigInt.asIntN(64, combined);
}

function digest(name: string, algorithm: string): RuntimeFunction {
  return runtimeFunction(name, ["string"], "string", (text) =>
    createHash(algorithm).update(text, "utf8").digest("hex"),
  );
}
