import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createFile } from "./durable-file.ts";

const ALGORITHM = "aes-256-gcm";
const FORMAT = 1;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES;

/** Secrets at rest: what it sealed opens with the same master key and purpose, unaltered. */
export interface Sealer {
  /** `purpose` says what the secret is for; a secret sealed for one opens for no other. */
  readonly seal: (plain: Uint8Array, purpose: string) => Uint8Array;
  /** Throws a `SealError` for what this key did not seal for this purpose. */
  readonly open: (sealed: Uint8Array, purpose: string) => Uint8Array;
}

export class SealError extends Error {
  override readonly name = "SealError";
}

/**
 * Opens the sealer of a data folder, with the key in `<dataDir>/master.key` (32 random bytes,
 * for the owner only). The first start makes the key; without it, what it sealed is lost.
 */
export async function openSealer(dataDir: string): Promise<Sealer> {
  const key = await masterKey(dataDir);
  return {
    seal: (plain, purpose) => seal(key, plain, purpose),
    open: (sealed, purpose) => open(key, sealed, purpose),
  };
}

async function masterKey(dataDir: string): Promise<Buffer> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, "master.key");
  if (!existsSync(path)) await createFile({ path, content: randomBytes(KEY_BYTES), mode: 0o600 });
  const key = await readFile(path);
  if (key.length === KEY_BYTES) return key;
  throw new SealError(
    `The master key ${path} has ${key.length} bytes instead of ${KEY_BYTES}: ` +
      "restore it from a copy.",
  );
}

/** One byte of format, the nonce, the ciphertext and the tag. */
function seal(key: Buffer, plain: Uint8Array, purpose: string): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(purpose));
  return Buffer.concat([
    Buffer.of(FORMAT),
    nonce,
    cipher.update(plain),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

function open(key: Buffer, sealed: Uint8Array, purpose: string): Uint8Array {
  if (sealed.length < HEADER_BYTES + TAG_BYTES || sealed[0] !== FORMAT) {
    throw new SealError(`This is no sealed secret (${purpose}): it was cut short or altered.`);
  }
  const tagStart = sealed.length - TAG_BYTES;
  const nonce = sealed.subarray(1, HEADER_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(sealed.subarray(tagStart));
  try {
    const start = decipher.update(sealed.subarray(HEADER_BYTES, tagStart));
    return Buffer.concat([start, decipher.final()]);
  } catch (error) {
    throw new SealError(
      `The sealed secret (${purpose}) does not open: it was altered, or sealed with another ` +
        "master key or for another purpose.",
      { cause: error },
    );
  }
}
