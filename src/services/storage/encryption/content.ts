import { createHash } from "node:crypto";
import type {
  BlockRun,
  BlockSource,
  BlockStore,
  WriteOptions,
} from "#engines/blocks/block-store.ts";
import { createCrc64 } from "#engines/blocks/crc64.ts";
import type { NewBlock } from "../append-blobs/append.ts";
import { cipherAt, cipherOf, newPlace, nonceAt, type Cipher } from "./keystream.ts";

/** Encrypted at a time, so that others get their turn in between. */
const PIECE_BYTES = 256 * 1024;

/** Bytes that have been stored, encrypted or not. */
export interface Content extends NewBlock {
  /** Of the bytes as they came. Each piece has the checksum of what lies in the extent. */
  readonly crc64: Uint8Array;
  /** As well, when it was asked for. */
  readonly md5: Uint8Array | undefined;
}

export interface ContentOptions extends WriteOptions {
  /** AES-256; undefined for what is stored as it comes. */
  readonly key: Uint8Array | undefined;
}

/** Stores bytes while they stream in, under a key if there is one. */
export async function writeContent(
  blocks: BlockStore,
  source: BlockSource,
  { key, length, md5, isOwner = false }: ContentOptions,
): Promise<Content> {
  if (key === undefined) {
    const { extent, offset, ...written } = await blocks.write(source, { length, md5, isOwner });
    const piece = { extent, offset, length, crc64: written.crc64, nonce: null };
    return { pieces: length === 0 ? [] : [piece], length, crc64: written.crc64, md5: written.md5 };
  }
  const place = newPlace();
  const sums = createSums(md5);
  const encrypted = encrypt(source, cipherAt(key, place), (bytes) => sums.update(bytes));
  const options = { length, md5: false, isOwner: true };
  const { extent, offset, crc64 } = await blocks.write(encrypted, options);
  const piece = { extent, offset, length, crc64, nonce: nonceAt(place, offset) };
  return { pieces: length === 0 ? [] : [piece], length, ...sums.digest() };
}

/** The checksums of the bytes before they are encrypted. */
function createSums(wantsMd5: boolean) {
  const crc = createCrc64();
  const md5 = wantsMd5 ? createHash("md5") : undefined;
  return {
    update(bytes: Uint8Array): void {
      crc.update(bytes);
      md5?.update(bytes);
    },
    digest: () => ({ crc64: crc.digest(), md5: md5?.digest() }),
  };
}

/** Short bytes stay in one piece: they are written at once. */
function encrypt(
  source: BlockSource,
  cipher: Cipher,
  seen: (bytes: Uint8Array) => void,
): BlockSource {
  if (source instanceof Uint8Array && source.length <= PIECE_BYTES) {
    seen(source);
    return cipher(source);
  }
  return stream();

  async function* stream(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source instanceof Uint8Array ? [source] : source) {
      for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
        const piece = chunk.subarray(from, from + PIECE_BYTES);
        seen(piece);
        yield cipher(piece);
      }
    }
  }
}

/** A run as it lies in an extent; without a nonce it is not encrypted. */
export interface StoredRun extends BlockRun {
  readonly nonce: Uint8Array | null;
}

/** What was written, from the bytes of runs that follow each other as they lie there. */
export function readContent(
  bytes: AsyncIterable<Uint8Array>,
  runs: readonly StoredRun[],
  key: Uint8Array | undefined,
): AsyncIterable<Uint8Array> {
  const isPlain = key === undefined && runs.every(({ nonce }) => nonce === null);
  return isPlain ? bytes : decrypt(bytes, runs, key);
}

async function* decrypt(
  bytes: AsyncIterable<Uint8Array>,
  runs: readonly StoredRun[],
  key: Uint8Array | undefined,
): AsyncGenerator<Uint8Array> {
  const rest = runs.values();
  let [cipher, left]: [Cipher, number] = [(plain) => plain, 0];

  for await (const chunk of bytes) {
    const parts: Uint8Array[] = [];
    for (let at = 0; at < chunk.length;) {
      if (left === 0) [cipher, left] = next();
      const part = chunk.subarray(at, at + left);
      parts.push(cipher(part));
      at += part.length;
      left -= part.length;
    }
    const [only] = parts;
    yield parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  }

  function next(): [Cipher, number] {
    const { value: run } = rest.next();
    if (run === undefined) throw new RangeError("More bytes were read than the runs have.");
    return [cipherOfRun(run, key), run.length];
  }
}

function cipherOfRun({ offset, nonce }: StoredRun, key: Uint8Array | undefined): Cipher {
  if (nonce !== null && key !== undefined) return cipherOf(key, { offset, nonce });
  // To answer with what lies on the disk would be worse than to fail.
  throw new Error("A record is encrypted otherwise than the blob that it belongs to.");
}
