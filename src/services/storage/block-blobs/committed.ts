import type { Kysely } from "kysely";
import type { Piece } from "../append-blobs/append.ts";
import { encryptionOf, type Encryption } from "../encryption/content-key.ts";
import type { BlobRow, StorageTables } from "../store.ts";

/** A block of the list that a blob was committed with. */
export interface CommittedBlock extends Encryption {
  readonly blockId: string;
  /** Bytes. */
  readonly length: number;
  readonly pieces: readonly Piece[];
}

/** The block list of a blob in its order; empty for a blob that was put in one request. */
export async function committedBlocks(
  db: Kysely<StorageTables>,
  blob: Pick<BlobRow, "id"> & Encryption,
): Promise<readonly CommittedBlock[]> {
  const rows = await db
    .selectFrom("block")
    .select(["blockId", "extent", "extentOffset as offset", "length", "crc64", "nonce"])
    .where("blobId", "=", blob.id)
    .orderBy("start")
    .execute();
  const encryption = encryptionOf(blob);
  const blocks: (Encryption & { blockId: string; length: number; pieces: Piece[] })[] = [];
  for (const { blockId, ...piece } of rows) {
    // A block that came in several runs has its id at the first of them.
    if (blockId !== null) blocks.push({ blockId, length: 0, pieces: [], ...encryption });
    const last = blocks.at(-1);
    if (last === undefined) return [];
    last.length += piece.length;
    last.pieces.push(piece);
  }
  return blocks;
}
