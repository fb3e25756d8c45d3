import type { Transaction } from "kysely";
import { combineCrc64 } from "#engines/blocks/crc64.ts";
import type { BlockRow, StorageTables } from "../store.ts";
import type { PagesWritten } from "./changes.ts";

/** What page blobs are written in. */
export const PAGE_BYTES = 512;
/** Bytes of a record of pages, at most: those of a range are found by where they begin. */
export const RUN_BYTES_MAX = 256 * 1024;
const CRC_BYTES = 8;
/** Rows per statement. */
const ROWS_MAX = 64;

/**
 * Puts runs of pages in the place of what is there. A record that lies there in part keeps the
 * rest; so a write changes a few rows, however many the blob has.
 */
export async function writePages(
  transaction: Transaction<StorageTables>,
  { blobId, begin, end, runs }: PagesWritten,
): Promise<void> {
  const kept = [
    ...(await headOf(transaction, blobId, { begin, end })),
    ...(await tailOf(transaction, blobId, { begin, end })),
  ];
  await transaction
    .deleteFrom("block")
    .where("blobId", "=", blobId)
    .where("start", ">=", kept[0]?.replaced ?? begin)
    .where("start", "<", end)
    .execute();
  const rows = [...kept.map(({ row }) => row), ...runs];
  for (let from = 0; from < rows.length; from += ROWS_MAX) {
    const some = rows.slice(from, from + ROWS_MAX);
    await transaction.insertInto("block").values(some).execute();
  }
}

interface Kept {
  readonly row: BlockRow;
  /** Where the record began that the row is a part of. */
  readonly replaced: number;
}

interface Span {
  readonly begin: number;
  readonly end: number;
}

/** What goes on of the record that reaches into the span from before it. */
async function headOf(
  transaction: Transaction<StorageTables>,
  blobId: number,
  { begin, end }: Span,
): Promise<Kept[]> {
  const row = await transaction
    .selectFrom("block")
    .selectAll()
    .where("blobId", "=", blobId)
    .where("start", "<", begin)
    .where("start", ">", begin - RUN_BYTES_MAX)
    .orderBy("start", "desc")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined || row.start + row.length <= begin) return [];
  const replaced = row.start;
  const head = { row: partOf(row, 0, begin - row.start), replaced };
  if (row.start + row.length <= end) return [head];
  return [head, { row: partOf(row, end - row.start, row.length), replaced }];
}

/** What goes on of the record that begins in the span and ends behind it. */
async function tailOf(
  transaction: Transaction<StorageTables>,
  blobId: number,
  { begin, end }: Span,
): Promise<Kept[]> {
  const row = await transaction
    .selectFrom("block")
    .selectAll()
    .where("blobId", "=", blobId)
    .where("start", ">=", begin)
    .where("start", "<", end)
    .orderBy("start", "desc")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined || row.start + row.length <= end) return [];
  return [{ row: partOf(row, end - row.start, row.length), replaced: begin }];
}

/**
 * The part of a record from one byte of it to another, both at the border of a page.
 *
 * `pageCrcs` holds, for every border of pages from the first to the last, the CRC64 of all bytes
 * of the run up to there, eight bytes each. From the two at the ends of a part follows the CRC64
 * of the part, so nothing is read. A record of one page has none: nothing cuts it.
 */
function partOf(row: BlockRow, from: number, to: number): BlockRow {
  const { pageCrcs } = row;
  if (pageCrcs === null) throw new RangeError("A page cannot be cut.");
  const crcs = pageCrcs.slice((from / PAGE_BYTES) * CRC_BYTES, (to / PAGE_BYTES + 1) * CRC_BYTES);
  const length = to - from;
  return {
    ...row,
    start: row.start + from,
    extentOffset: row.extentOffset + from,
    length,
    crc64: combineCrc64(crcs.slice(0, CRC_BYTES), crcs.slice(-CRC_BYTES), length),
    pageCrcs: length === PAGE_BYTES ? null : crcs,
  };
}
