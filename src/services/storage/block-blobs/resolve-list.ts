import type { BlockRun } from "#engines/blocks/block-store.ts";
import { Problem } from "#platform/problem.ts";
import type { Staged } from "../state/staging.ts";
import type { BlockRow } from "../store.ts";
import type { ListedBlock } from "./block-list-body.ts";
import type { CommittedBlock } from "./committed.ts";

interface FoundBlock {
  readonly blockId: string;
  readonly pieces: readonly (BlockRun & { readonly crc64: Uint8Array })[];
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

/** The records of a blob that consists of the blocks in their order. */
export function rowsOfBlocks(blobId: number, blocks: readonly FoundBlock[]): BlockRow[] {
  let start = 0;
  return blocks.flatMap(({ blockId, pieces }) =>
    pieces.map(({ extent, offset: extentOffset, length, crc64 }, index) => {
      const name = index === 0 ? blockId : null;
      const place = { blobId, start, extent, extentOffset, length };
      const row = { ...place, crc64, blockId: name, pageCrcs: null };
      start += length;
      return row;
    }),
  );
}
