import type { Kysely } from "kysely";
import type { BlockStore } from "#engines/blocks/block-store.ts";
import { readContent } from "../encryption/content.ts";
import type { StorageTables } from "../store.ts";
import {
  BlobGoneError,
  cut,
  stretchOf,
  type BlockRecord,
  type ReadBlob,
  type Span,
} from "./block-records.ts";
import { checkedBytes } from "./checked-bytes.ts";
import { RUN_BYTES_MAX } from "./page-map.ts";

/** Records read at a time. */
const RECORDS_PAGE = 4096;
/** What is given out, again and again, where a page blob has nothing. */
const ZEROS = new Uint8Array(512 * 1024);

/** The first records of a page blob that hold a part of the span; there may be none. */
async function pageRecords(
  db: Kysely<StorageTables>,
  blobId: number,
  { begin, end }: Span,
): Promise<readonly BlockRecord[]> {
  const rows = await db
    .selectFrom("block")
    .select(["start", "extent", "extentOffset as offset", "length", "crc64", "nonce"])
    .where("blobId", "=", blobId)
    .where("start", ">", begin - RUN_BYTES_MAX)
    .where("start", "<", end)
    .orderBy("start")
    .limit(RECORDS_PAGE)
    .execute();
  return rows.filter(({ start, length }) => start + length > begin);
}

/** All records of a page blob that hold a part of the span, in rounds. */
export async function* allPageRecords(
  db: Kysely<StorageTables>,
  blobId: number,
  span: Span,
): AsyncGenerator<readonly BlockRecord[]> {
  let { begin } = span;
  for (;;) {
    const records = await pageRecords(db, blobId, { begin, end: span.end });
    const last = records.at(-1);
    if (last === undefined) return;
    yield records;
    begin = last.start + last.length;
  }
}

/**
 * The bytes of a span of a page blob, zeros where nothing was written. The first records are found
 * before this resolves. Throws `BlobGoneError` if the blob is not there any more.
 */
export async function openPages(
  db: Kysely<StorageTables>,
  blocks: BlockStore,
  { id, key }: Omit<ReadBlob, "type">,
  span: Span,
): Promise<AsyncIterable<Uint8Array>> {
  const rounds = allPageRecords(db, id, span);
  const first = await rounds.next();
  if (first.done === true) await requireThere(db, id);
  return readOn();

  async function* readOn(): AsyncGenerator<Uint8Array> {
    let at = span.begin;
    for (let round = first; round.done !== true; round = await nextRound()) {
      for (const group of neighbours(round.value)) {
        const [begin = at] = group.map(({ start }) => start);
        yield* zeros(begin - at);
        const runs = group.map((record) => cut(record, { begin: span.begin, end: span.end }));
        const stored = checkedBytes(blocks.read(runs), runs.map(stretchOf(blocks, group)));
        yield* readContent(stored, runs, key);
        at = Math.max(at, begin) + runs.reduce((sum, { length }) => sum + length, 0);
      }
    }
    yield* zeros(span.end - at);
  }

  async function nextRound() {
    const round = await rounds.next();
    if (round.done === true) await requireThere(db, id);
    return round;
  }
}

/** A blob that has gone has no records either, which does not make zeros of its bytes. */
async function requireThere(db: Kysely<StorageTables>, blobId: number): Promise<void> {
  const found = await db.selectFrom("blob").select("id").where("id", "=", blobId).execute();
  if (found.length === 0) throw new BlobGoneError();
}

/** Records in groups without a gap. */
function* neighbours(records: readonly BlockRecord[]): Generator<readonly BlockRecord[]> {
  let group: BlockRecord[] = [];
  for (const record of records) {
    const last = group.at(-1);
    if (last !== undefined && last.start + last.length !== record.start) {
      yield group;
      group = [];
    }
    group.push(record);
  }
  if (group.length > 0) yield group;
}

function* zeros(count: number): Generator<Uint8Array> {
  for (let left = count; left > 0; left -= ZEROS.length) {
    yield left < ZEROS.length ? ZEROS.subarray(0, left) : ZEROS;
  }
}
