import type { Json } from "../../types.ts";
import { canonicalJson, isArray } from "../dynamic/json.ts";
import { textBytes } from "../hash/value-bytes.ts";
import { xxhash64 } from "../hash/xxhash64.ts";
import { addHash, estimate, foldRegisters } from "./registers.ts";

/** Up to so many distinct values the count is exact. */
const EXACT_MAX = 4096;
const HASH_BYTES = 8;
/** Bits of the precision by accuracy 0 to 4: 1.6, 0.8, 0.4, 0.28 and 0.2 % standard error. */
const PRECISIONS = [12, 14, 16, 17, 18] as const;
const DEFAULT_PRECISION = 14;
const TAG = "hll";

/** What is known of a set: all its hashes, or the registers once there are too many. */
interface Sketch {
  readonly precision: number;
  readonly hashes: ReadonlySet<bigint> | null;
  readonly registers: Uint8Array | null;
}

/** The state of the values that are not null; null when there are none. */
export function hllOf(values: Json, accuracy: bigint | null): Json {
  const precision = PRECISIONS[Number(accuracy ?? 1n)] ?? DEFAULT_PRECISION;
  const known = isArray(values) ? values.filter((value) => value !== null) : [];
  const hashes = new Set(known.map((it) => hashOf(it)));
  return hashes.size === 0 ? null : write(settle({ precision, hashes, registers: null }));
}

/** The state of all values of several states; null when there is none. */
export function mergeHlls(states: readonly Json[]): Json {
  const sketches = states.map(read).filter((sketch) => sketch !== null);
  return sketches.length === 0 ? null : write(sketches.reduce(merge));
}

/** Null for what is no state. */
export function countHll(state: Json): bigint | null {
  const sketch = read(state);
  if (sketch === null) return null;
  if (sketch.hashes !== null) return BigInt(sketch.hashes.size);
  return BigInt(Math.round(estimate(registersOf(sketch), sketch.precision)));
}

export function isHll(state: Json): boolean {
  return read(state) !== null;
}

function hashOf(value: Json): bigint {
  return BigInt.asUintN(64, xxhash64(textBytes(canonicalJson(value))));
}

function merge(one: Sketch, other: Sketch): Sketch {
  const precision = Math.min(one.precision, other.precision);
  if (one.hashes !== null && other.hashes !== null) {
    return settle({ precision, hashes: one.hashes.union(other.hashes), registers: null });
  }
  const [left, right] = [one, other].map((sketch) => {
    return foldRegisters(registersOf(sketch), sketch.precision, precision);
  });
  const registers = left?.map((rank, place) => Math.max(rank, right?.[place] ?? 0)) ?? null;
  return { precision, hashes: null, registers };
}

function settle(sketch: Sketch): Sketch {
  if (sketch.hashes === null || sketch.hashes.size <= EXACT_MAX) return sketch;
  return { precision: sketch.precision, hashes: null, registers: registersOf(sketch) };
}

function registersOf({ precision, hashes, registers }: Sketch): Uint8Array {
  if (registers !== null) return registers;
  const made = new Uint8Array(2 ** precision);
  for (const hash of hashes ?? []) addHash(made, precision, hash);
  return made;
}

/** `["hll", precision, "hashes" or "registers", base64]`. */
function write({ precision, hashes, registers }: Sketch): Json {
  if (registers !== null) {
    return [TAG, precision, "registers", Buffer.from(registers).toString("base64")];
  }
  const bytes = Buffer.alloc((hashes?.size ?? 0) * HASH_BYTES);
  for (const [at, hash] of Array.from(hashes ?? []).entries()) {
    bytes.writeBigUInt64BE(hash, at * HASH_BYTES);
  }
  return [TAG, precision, "hashes", bytes.toString("base64")];
}

function read(state: Json): Sketch | null {
  if (!isArray(state) || state[0] !== TAG) return null;
  const [, precision, kind, text] = state;
  if (typeof precision !== "number" || typeof text !== "string") return null;
  if (!PRECISIONS.some((known) => known === precision)) return null;
  const bytes = Buffer.from(text, "base64");
  if (kind === "registers") {
    const isWhole = bytes.length === 2 ** precision;
    return isWhole ? { precision, hashes: null, registers: Uint8Array.from(bytes) } : null;
  }
  const count = Math.floor(bytes.length / HASH_BYTES);
  const hashes = Array.from({ length: count }, (_, at) => bytes.readBigUInt64BE(at * HASH_BYTES));
  return { precision, hashes: new Set(hashes), registers: null };
}
