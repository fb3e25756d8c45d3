import { rowsOf } from "../append-blobs/append.ts";
import type { Context } from "../context.ts";
import { writeContent } from "../encryption/content.ts";
import { runsOfPieces } from "../page-blobs/page-runs.ts";
import { PIECE_BYTES } from "../sources/taken.ts";
import type { BlobRow, BlockRow } from "../store.ts";

/** Zeros of a page blob are left out in such pieces. */
const SPARSE_BYTES = 64 * 1024;
const ZEROS = new Uint8Array(SPARSE_BYTES);

/** A stream in pieces of 4 MiB; the last may be shorter. */
export async function* piecesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    for (let rest = chunk; rest.length > 0;) {
      const part = rest.subarray(0, PIECE_BYTES - bytes);
      gathered.push(part);
      bytes += part.length;
      rest = rest.subarray(part.length);
      if (bytes < PIECE_BYTES) continue;
      yield Buffer.concat(gathered);
      gathered = [];
      bytes = 0;
    }
  }
  if (bytes > 0) yield Buffer.concat(gathered);
}

interface Piece {
  readonly bytes: Uint8Array;
  /** Where it begins in the blob. */
  readonly start: number;
  readonly key: Uint8Array | undefined;
}

/** Stores a piece of what a blob will have; of a page blob what is not zeros. */
export async function storePiece(
  { blocks }: Pick<Context, "blocks">,
  { id, type }: Pick<BlobRow, "id" | "type">,
  { bytes, start, key }: Piece,
): Promise<readonly BlockRow[]> {
  const write = (part: Uint8Array) =>
    writeContent(blocks, part, { length: part.length, md5: false, key });
  if (type !== "PageBlob") return rowsOf(id, start, (await write(bytes)).pieces);
  const rows: BlockRow[] = [];
  for (let from = 0; from < bytes.length; from += SPARSE_BYTES) {
    const part = bytes.subarray(from, from + SPARSE_BYTES);
    if (Buffer.compare(part, ZEROS.subarray(0, part.length)) === 0) continue;
    const { pieces } = await write(part);
    const runs = await runsOfPieces(blocks, pieces, start + from, key);
    rows.push(...runs.map((run) => Object.assign(run, { blobId: id, blockId: null })));
  }
  return rows;
}
