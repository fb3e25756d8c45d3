import type { BlockStore } from "#engines/blocks/block-store.ts";
import { createCrc64 } from "#engines/blocks/crc64.ts";
import type { Piece } from "../append-blobs/append.ts";
import { collectBytes } from "../blobs/body.ts";
import { readContent, writeContent } from "../encryption/content.ts";
import { checkedBytes } from "../state/checked-bytes.ts";
import { PAGE_BYTES, RUN_BYTES_MAX } from "../state/page-map.ts";
import type { BlockRow } from "../store.ts";

/** A record of pages, of no blob yet. */
export type PageRun = Omit<BlockRow, "blobId" | "blockId">;

/**
 * The records of pieces that lie in the block store, from `start` on in the page blob. They refer
 * to the bytes where they are, unless the pieces meet within a page. A piece is held in memory at
 * a time. The key is that of the blob; undefined where it is not encrypted.
 */
export async function runsOfPieces(
  blocks: BlockStore,
  pieces: readonly Piece[],
  start: number,
  key: Uint8Array | undefined,
): Promise<readonly PageRun[]> {
  const runs: PageRun[] = [];
  let at = start;
  for (const piece of await wholePages(blocks, pieces, key)) {
    runs.push(...(await runsOfPiece(blocks, piece, at)));
    at += piece.length;
  }
  return runs;
}

/** Writes pieces that meet within a page once more, as one. */
async function wholePages(
  blocks: BlockStore,
  pieces: readonly Piece[],
  key: Uint8Array | undefined,
): Promise<readonly Piece[]> {
  if (pieces.every(({ length }) => length % PAGE_BYTES === 0)) return pieces;
  const stored = checkedBytes(blocks.read(pieces), pieces);
  const bytes = await collectBytes(readContent(stored, pieces, key));
  const whole = await writeContent(blocks, bytes, { length: bytes.length, md5: false, key });
  return whole.pieces;
}

async function runsOfPiece(blocks: BlockStore, piece: Piece, start: number): Promise<PageRun[]> {
  const { extent, offset, length, crc64, nonce } = piece;
  if (length === PAGE_BYTES) {
    return [{ start, extent, extentOffset: offset, length, crc64, nonce, pageCrcs: null }];
  }
  const bytes = await collectBytes(checkedBytes(blocks.read([piece]), [piece]));
  const runs: PageRun[] = [];
  for (let from = 0; from < length; from += RUN_BYTES_MAX) {
    const part = bytes.subarray(from, from + RUN_BYTES_MAX);
    const place = { start: start + from, extent, extentOffset: offset + from, nonce };
    runs.push({ ...place, length: part.length, ...checksumsOf(part) });
  }
  return runs;
}

/** The checksum of a run, and those up to each border of its pages. */
function checksumsOf(bytes: Uint8Array): Pick<PageRun, "crc64" | "pageCrcs"> {
  const crc = createCrc64();
  const borders = [crc.digest()];
  for (let from = 0; from < bytes.length; from += PAGE_BYTES) {
    crc.update(bytes.subarray(from, from + PAGE_BYTES));
    borders.push(crc.digest());
  }
  const pageCrcs = bytes.length === PAGE_BYTES ? null : Buffer.concat(borders);
  return { crc64: crc.digest(), pageCrcs };
}
