import type { Kysely } from "kysely";
import type { BlockRecord, Span } from "../state/block-records.ts";
import { allPageRecords } from "../state/page-records.ts";
import type { StorageTables } from "../store.ts";

/** Pages that a list tells of; `isClear` where they had content and have none now. */
export interface PageRange extends Span {
  readonly isClear: boolean;
}

/** The pages of a blob that were written and not cleared, as far as they are in the span. */
export async function* writtenRanges(
  db: Kysely<StorageTables>,
  blobId: number,
  span: Span,
): AsyncGenerator<PageRange> {
  yield* joined(
    (async function* ranges() {
      for await (const records of allPageRecords(db, blobId, span)) {
        for (const record of records) yield { ...within(record, span), isClear: false };
      }
    })(),
  );
}

/**
 * The pages that differ between two states of a blob. What lies at the same place of the same
 * extent is the same; what was written anew is different, whatever it says.
 */
export async function* changedRanges(
  db: Kysely<StorageTables>,
  { from, to }: { readonly from: number; readonly to: number },
  span: Span,
): AsyncGenerator<PageRange> {
  const before = walk(db, from, span);
  const now = walk(db, to, span);
  yield* joined(
    (async function* ranges() {
      for (let begin = span.begin; begin < span.end;) {
        const [old, fresh] = [await before.at(begin), await now.at(begin)];
        const end = Math.min(old.end, fresh.end, span.end);
        if (old.place !== fresh.place) yield { begin, end, isClear: fresh.place === undefined };
        begin = end;
      }
    })(),
  );
}

function within({ start, length }: BlockRecord, { begin, end }: Span): Span {
  return { begin: Math.max(start, begin), end: Math.min(start + length, end) };
}

/** What a blob has from a byte on, and up to where that goes on. */
interface Stretch {
  /** Where the byte 0 of the blob would lie; undefined where nothing was written. */
  readonly place: string | undefined;
  readonly end: number;
}

/** Tells of one byte after the other; they may not be asked for backwards. */
function walk(db: Kysely<StorageTables>, blobId: number, span: Span) {
  const rounds = allPageRecords(db, blobId, span);
  let records: readonly BlockRecord[] = [];
  let next = 0;
  let isOver = false;

  async function current(byte: number): Promise<BlockRecord | undefined> {
    for (;;) {
      const record = records[next];
      if (record !== undefined && record.start + record.length > byte) return record;
      next += 1;
      if (next < records.length || isOver) {
        if (next >= records.length) return undefined;
        continue;
      }
      const round = await rounds.next();
      isOver = round.done === true;
      records = round.done === true ? [] : round.value;
      next = 0;
      if (isOver) return undefined;
    }
  }

  return {
    async at(byte: number): Promise<Stretch> {
      const record = await current(byte);
      if (record === undefined) return { place: undefined, end: span.end };
      const { start, extent, offset, length } = record;
      if (start > byte) return { place: undefined, end: start };
      return { place: `${extent}/${offset - start}`, end: start + length };
    },
  };
}

/** Neighbours of one kind as one. */
async function* joined(ranges: AsyncIterable<PageRange>): AsyncGenerator<PageRange> {
  let last: PageRange | undefined;
  for await (const range of ranges) {
    if (last?.end === range.begin && last.isClear === range.isClear) {
      last = { begin: last.begin, end: range.end, isClear: range.isClear };
      continue;
    }
    if (last !== undefined) yield last;
    last = range;
  }
  if (last !== undefined) yield last;
}
