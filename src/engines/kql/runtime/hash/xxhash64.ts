import { createXXHash64 } from "hash-wasm";

// Making the hasher compiles WebAssembly, which has to be waited for; use after that is at once.
const hasher = await createXXHash64(0, 0);

/** The 64 bits of xxHash64 with seed 0, as a signed number. */
export function xxhash64(bytes: Uint8Array): bigint {
  const digest = hasher.init().update(bytes).digest("binary");
  return new DataView(digest.buffer, digest.byteOffset).getBigInt64(0);
}
