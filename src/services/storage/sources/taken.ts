import { createHash } from "node:crypto";
import type { BlockStore } from "#engines/blocks/block-store.ts";
import { combineCrc64, crc64 } from "#engines/blocks/crc64.ts";
import type { Piece } from "../append-blobs/append.ts";
import type { ContentProperties } from "../blobs/content-properties.ts";
import { writeContent, type Content } from "../encryption/content.ts";
import { tooLarge } from "../protocol/header-values.ts";
import type { BlobRow } from "../store.ts";

/** Bytes that a copy holds in memory at a time. */
export const PIECE_BYTES = 4 * 2 ** 20;

/** The content of a source, in the block store. */
export interface Taken extends Content {
  readonly origin: Origin;
}

/** What a source says of itself beside its content. */
export interface Origin {
  readonly properties: ContentProperties;
  /** JSON object of text. */
  readonly metadata: string;
  readonly kind: BlobKind;
  /** As stored; of another server's source only where they are to be copied. */
  readonly tags: string | null;
}

/** What kind of blob a source is. */
export type BlobKind = Pick<BlobRow, "blockCount" | "sequenceNumber" | "type">;

export interface TakeOptions {
  /** A block cannot be empty, a blob can. */
  readonly mayBeEmpty?: boolean;
  /** More is refused with 413. */
  readonly bytesMax: number;
  readonly md5: boolean;
  /** AES-256; undefined for what is stored as it comes. */
  readonly key: Uint8Array | undefined;
}

/** Stores a source of unknown length piece by piece, and cuts it off at the limit. */
export async function storePieces(
  blocks: BlockStore,
  source: AsyncIterable<Uint8Array>,
  { bytesMax, md5, key }: TakeOptions,
): Promise<Content> {
  const hash = md5 ? createHash("md5") : undefined;
  const pieces: Piece[] = [];
  let gathered: Uint8Array[] = [];
  let gatheredBytes = 0;
  let length = 0;
  let crc = crc64(new Uint8Array(0));

  for await (const chunk of source) {
    length += chunk.length;
    if (length > bytesMax) throw tooLarge("The copy source", length, bytesMax);
    hash?.update(chunk);
    gathered.push(chunk);
    gatheredBytes += chunk.length;
    if (gatheredBytes >= PIECE_BYTES) await storeGathered();
  }
  if (gatheredBytes > 0) await storeGathered();
  return { pieces, length, crc64: crc, md5: hash?.digest() };

  async function storeGathered(): Promise<void> {
    const bytes = Buffer.concat(gathered);
    gathered = [];
    gatheredBytes = 0;
    const written = await writeContent(blocks, bytes, { length: bytes.length, md5: false, key });
    pieces.push(...written.pieces);
    crc = combineCrc64(crc, written.crc64, bytes.length);
  }
}

/** The checksum of pieces that follow each other and are not encrypted, from theirs alone. */
export function crc64OfPieces(pieces: readonly Piece[]): Uint8Array {
  return pieces.reduce(
    (sum, piece) => combineCrc64(sum, piece.crc64, piece.length),
    crc64(new Uint8Array(0)),
  );
}
