import type { Kysely } from "kysely";
import type { BlockRun } from "#engines/blocks/block-store.ts";
import type { StorageTables } from "../store.ts";

/** A block of the list that a blob was committed with. */
export interface CommittedBlock {
  readonly blockId: string;
  /** Bytes. */
  readonly length: number;
  readonly pieces: readonly (BlockRun & { readonly crc64: Uint8Array })[];
}

/** The block list of a blob in its order; empty for a blob that was put in one request. */
export async function committedBlocks(
  db: Kysely<StorageTables>,
  blobId: number,
): Promise<readonly CommittedBlock[]> {
  const rows = await db
    .selectFrom("block")
    .select(["blockId", "extent", "extentOffset as offset", "length", "crc64"])
    .where("blobId", "=", blobId)
    .orderBy("start")
    .execute();
  const blocks: { blockId: string; length: number; pieces: CommittedBlock["pieces"][number][] }[] =
    [];
  for (const { blockId, ...piece } of rows) {
    // A block that came in several runs has its id at the first of them.
    if (blockId !== null) blocks.push({ blockId, length: 0, pieces: [] });
    const last = blocks.at(-1);
    if (last === undefined) return [];
    last.length += piece.length;
    last.pieces.push(piece);
  }
  return blocks;
}
