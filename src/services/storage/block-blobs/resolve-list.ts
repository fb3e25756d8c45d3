import { Problem } from "#platform/problem.ts";
import type { Piece } from "../append-blobs/append.ts";
import { requireSameEncryption, type Encryption } from "../encryption/content-key.ts";
import type { Staged } from "../state/staging.ts";
import type { BlockRow } from "../store.ts";
import type { ListedBlock } from "./block-list-body.ts";
import type { CommittedBlock } from "./committed.ts";

interface FoundBlock extends Encryption {
  readonly blockId: string;
  readonly pieces: readonly Piece[];
}

/** Whether the list needs blocks that the blob was committed with before. */
export function needsCommitted(list: readonly ListedBlock[], { blocks }: Staged): boolean {
  return list.some(
    ({ from, blockId }) => from === "Committed" || (from === "Latest" && !blocks.has(blockId)),
  );
}

/** The blocks that a list names. Refuses with 400 one that is not where it is looked for. */
export function resolveList(
  list: readonly ListedBlock[],
  { blocks }: Staged,
  committed: readonly CommittedBlock[],
): readonly FoundBlock[] {
  const before = new Map(committed.map((block) => [block.blockId, block]));
  return list.map(({ from, blockId }) => {
    const staged = from === "Committed" ? undefined : blocks.get(blockId);
    const found = staged ?? (from === "Uncommitted" ? undefined : before.get(blockId));
    if (found !== undefined) return found;
    const where = from === "Latest" ? "committed nor uncommitted" : from.toLowerCase();
    const not = from === "Latest" ? "neither" : "not";
    const said = `The block "${blockId}" of the list is ${not} ${where}.`;
    throw new Problem(400, "InvalidBlockList", said);
  });
}

/** Refuses blocks that were put with another key than the list is. */
export function requireOneKey(blocks: readonly FoundBlock[], encryption: Encryption): void {
  for (const block of blocks) requireSameEncryption(block, encryption);
}

/** The records of a blob that consists of the blocks in their order. */
export function rowsOfBlocks(blobId: number, blocks: readonly FoundBlock[]): BlockRow[] {
  let start = 0;
  return blocks.flatMap(({ blockId, pieces }) =>
    pieces.map(({ extent, offset: extentOffset, length, crc64, nonce }, index) => {
      const name = index === 0 ? blockId : null;
      const place = { blobId, start, extent, extentOffset, length };
      const row = { ...place, crc64, nonce, blockId: name, pageCrcs: null };
      start += length;
      return row;
    }),
  );
}
