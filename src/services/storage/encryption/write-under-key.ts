import type { Context } from "../context.ts";
import { collectBytes } from "../blobs/body.ts";
import { runsOfPieces } from "../page-blobs/page-runs.ts";
import { BlobGoneError, type ReadBlob } from "../state/block-records.ts";
import { checkedBytes } from "../state/checked-bytes.ts";
import type { BlockRow } from "../store.ts";
import type { ContentKey } from "./content-key.ts";
import { readContent, writeContent } from "./content.ts";

/** Records that are looked up at a time. */
const RECORDS_PAGE = 1024;
/** Records up to here are taken in one piece, which is cheaper than streaming them. */
const COLLECTED_MAX = 256 * 1024;

/** A record of a blob that has no id yet. */
export type NewRecord = Omit<BlockRow, "blobId">;

/**
 * Writes the content of a blob once more, under another key. The new records begin where those
 * of the blob begin, so its list of blocks stays what it is. Throws `BlobGoneError` if records
 * are missing: those of a blob go with it.
 */
export async function writeUnderKey(
  { store, blocks }: Context,
  blob: ReadBlob & { readonly length: number },
  { key }: Pick<ContentKey, "key">,
): Promise<readonly NewRecord[]> {
  const records: NewRecord[] = [];
  for (let begin = 0; begin < blob.length;) {
    const page = await store.db
      .selectFrom("block")
      .selectAll()
      .where("blobId", "=", blob.id)
      .where("start", ">=", begin)
      .where("start", "<", blob.length)
      .orderBy("start")
      .limit(RECORDS_PAGE)
      .execute();
    for (const { blobId: _, ...record } of page) {
      const { length } = record;
      // Only pages that were never written have no records.
      if (blob.type !== "PageBlob" && record.start !== begin) throw new BlobGoneError();
      begin = record.start + length;
      const run = { ...record, offset: record.extentOffset };
      const stored = checkedBytes(blocks.read([run]), [run]);
      const bytes = readContent(stored, [run], blob.key);
      const source = length > COLLECTED_MAX ? bytes : await collectBytes(bytes);
      const { pieces } = await writeContent(blocks, source, { length, md5: false, key });
      if (blob.type === "PageBlob") {
        const runs = await runsOfPieces(blocks, pieces, record.start, key);
        records.push(...runs.map((pages) => Object.assign(pages, { blockId: null })));
        continue;
      }
      for (const { extent, offset: extentOffset, crc64, nonce } of pieces) {
        records.push({ ...record, extent, extentOffset, crc64, nonce });
      }
    }
    if (page.length > 0) continue;
    if (blob.type !== "PageBlob") throw new BlobGoneError();
    begin = blob.length;
  }
  return records;
}
