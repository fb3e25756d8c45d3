import type { Kysely } from "kysely";
import { BlockReadError, type BlockRun, type BlockStore } from "#engines/blocks/block-store.ts";
import { readContent, type StoredRun } from "../encryption/content.ts";
import type { StorageTables } from "../store.ts";
import { checkedRunsOf } from "./checked-runs.ts";
import { checkedBytes, type Stretch } from "./checked-bytes.ts";

/** Records read at a time; a range of a blob with many small blocks takes several rounds. */
const RECORDS_PAGE = 4096;

/** Where a part of a blob lies. */
export interface BlockRecord extends BlockRun {
  /** Offset in the blob. */
  readonly start: number;
  readonly crc64: Uint8Array;
  /** Null where the bytes are not encrypted. */
  readonly nonce: Uint8Array | null;
}

/** From the first byte to, and without, the byte at `end`. */
export interface Span {
  readonly begin: number;
  readonly end: number;
}

/** The blob was replaced or deleted between finding and reading it. */
export class BlobGoneError extends Error {
  override readonly name = "BlobGoneError";
  override readonly message = "The blob was overwritten or deleted while it was read.";
}

/**
 * The first `RECORDS_PAGE` records that hold a part of the span. Throws `BlobGoneError` if there is
 * none, and `BlockReadError` if one is missing among them: the blob is damaged then.
 */
export async function recordsFrom(
  db: Kysely<StorageTables>,
  blobId: number,
  { begin, end }: Span,
): Promise<readonly BlockRecord[]> {
  const first = db
    .selectFrom("block")
    .select(({ fn }) => fn.max("start").as("start"))
    .where("blobId", "=", blobId)
    .where("start", "<=", begin);
  const rows = await db
    .selectFrom("block")
    .select(["start", "extent", "extentOffset as offset", "length", "crc64", "nonce"])
    .where("blobId", "=", blobId)
    .where("start", ">=", first)
    .where("start", "<", end)
    .orderBy("start")
    .limit(RECORDS_PAGE)
    .execute();
  if (rows.length === 0) throw new BlobGoneError();
  requireNoGap(rows, begin);
  return rows;
}

/** The last record before a gap holds none of what is asked for, however often it is looked up. */
function requireNoGap(records: readonly BlockRecord[], begin: number): void {
  let at = begin;
  for (const { start, length, extent, offset } of records) {
    if (start > at || start + length <= at) {
      const reason = `the blob has no record of its bytes from ${at} on`;
      throw new BlockReadError({ extent, offset }, reason);
    }
    at = start + length;
  }
}

/** A blob that is read. */
export interface ReadBlob {
  readonly id: number;
  readonly type: string;
  /** What its content is encrypted with; undefined where it is not. */
  readonly key: Uint8Array | undefined;
}

/** The span's bytes. Its first records are found before this resolves, so a blob is there. */
export async function openSpan(
  db: Kysely<StorageTables>,
  blocks: BlockStore,
  { id, key }: ReadBlob,
  span: Span,
): Promise<AsyncIterable<Uint8Array>> {
  const first = await recordsFrom(db, id, span);
  return readOn();

  async function* readOn(): AsyncGenerator<Uint8Array> {
    let records = first;
    let begin = span.begin;
    for (;;) {
      const runs = records.map((record) => cut(record, { begin, end: span.end }));
      const stored = checkedBytes(blocks.read(runs), runs.map(stretchOf(blocks, records)));
      yield* readContent(stored, runs, key);
      const last = records.at(-1);
      begin = last === undefined ? span.end : last.start + last.length;
      if (begin >= span.end) return;
      records = await recordsFrom(db, id, { begin, end: span.end });
    }
  }
}

/**
 * The checksum of a run is known where it is the whole of its record. It is compared when the run
 * is read first, and now and then.
 */
export function stretchOf(blocks: BlockStore, records: readonly BlockRecord[]) {
  const checked = checkedRunsOf(blocks);
  return (run: BlockRun, index: number): Stretch => {
    const { length } = run;
    const record = records[index];
    if (record?.length !== length || checked.isRight(run)) return { length, crc64: undefined };
    return { length, crc64: record.crc64, foundRight: () => checked.foundRight(run) };
  };
}

/** The part of a record that lies within the span. */
export function cut(record: BlockRecord, { begin, end }: Span): StoredRun {
  const from = Math.max(begin - record.start, 0);
  const to = Math.min(end - record.start, record.length);
  const { extent, offset, nonce } = record;
  return { extent, offset: offset + from, length: to - from, nonce };
}
