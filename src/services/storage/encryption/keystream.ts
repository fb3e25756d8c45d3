import { createCipheriv, randomBytes } from "node:crypto";

const ALGORITHM = "aes-256-ctr";
const COUNTER_BYTES = 16;
/** Bytes of the keystream that one counter gives. */
const BLOCK_BITS = 4n;
const PLACES = 1n << (8n * BigInt(COUNTER_BYTES) + BLOCK_BITS);
/** A place in the keystream. */
const NONCE_BYTES = COUNTER_BYTES + 1;

/** Bytes of an extent that are encrypted. */
export interface EncryptedRun {
  /** Byte offset in the extent. */
  readonly offset: number;
  /**
   * Which byte of the keystream belongs to the first byte of the extent: with it any part of what
   * was written at once is read by itself.
   */
  readonly nonce: Uint8Array;
}

/** Encrypts or decrypts the bytes that follow each other from a place on. */
export type Cipher = (bytes: Uint8Array) => Uint8Array;

/** A place that nothing else under any key begins at. */
export function newPlace(): bigint {
  return numberOf(randomBytes(COUNTER_BYTES)) << BLOCK_BITS;
}

/** The nonce of bytes that were encrypted from the place on and lie at the offset. */
export function nonceAt(place: bigint, offset: number): Uint8Array {
  const first = (place - BigInt(offset) + PLACES) % PLACES;
  return Buffer.from(first.toString(16).padStart(2 * NONCE_BYTES, "0"), "hex");
}

/** The nonce of bytes that lie `delta` bytes further on by now, or further back. */
export function movedNonce(nonce: Uint8Array, delta: number): Uint8Array {
  return nonceAt(numberOf(nonce), delta);
}

/** AES-256 in counter mode from a place of the keystream on. */
export function cipherAt(key: Uint8Array, place: bigint): Cipher {
  const cipher = createCipheriv(ALGORITHM, key, counterOf(place >> BLOCK_BITS));
  const skipped = Number(place % (1n << BLOCK_BITS));
  if (skipped > 0) cipher.update(new Uint8Array(skipped));
  return (bytes) => cipher.update(bytes);
}

/** The same for bytes that are read from an extent. */
export function cipherOf(key: Uint8Array, { offset, nonce }: EncryptedRun): Cipher {
  return cipherAt(key, (numberOf(nonce) + BigInt(offset)) % PLACES);
}

function counterOf(block: bigint): Uint8Array {
  return Buffer.from(block.toString(16).padStart(2 * COUNTER_BYTES, "0"), "hex");
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
}
