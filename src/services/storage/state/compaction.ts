import { sql, type Transaction } from "kysely";
import type { BlockRun, BlockStore } from "#engines/blocks/block-store.ts";
import { BlockReadError } from "#engines/blocks/block-store.ts";
import type { Store } from "#platform/store/store.ts";
import { movedNonce } from "../encryption/keystream.ts";
import type { StorageTables } from "../store.ts";
import type { InFlight } from "./in-flight.ts";

/** One extent is looked at at a time, and the next one so much later. */
const APART_MS = 500;
/** An extent is emptied when no more than this share of it is in use. */
const LIVE_SHARE_MAX = 0.5;
/** Bytes that are written, and then referred to, at a time; a single run may be longer. */
const MOVED_BYTES = 8 * 2 ** 20;
/** Runs that change their place in one transaction. */
const MOVED_RUNS_MAX = 256;
/** Records read at a time. */
const RECORDS_PAGE = 4096;

export interface CompactionOptions {
  readonly store: Store<StorageTables>;
  readonly blocks: BlockStore;
  readonly inFlight: InFlight;
  /** Told when nothing is left in an extent to which somebody referred. */
  readonly emptied: () => void;
  readonly failed: (error: unknown) => void;
}

/** Empties extents of which little is in use, so that the space of the rest can be given back. */
export interface Compaction {
  /** Something was deleted: all full extents are looked at, one after the other. */
  readonly examineSoon: () => void;
  /** Ends after what is under way. */
  readonly stop: () => Promise<void>;
}

export function createCompaction(options: CompactionOptions): Compaction {
  let waiting: number[] = [];
  let isDue = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  function schedule(): void {
    if (isStopped || timer !== undefined || running !== undefined) return;
    timer = setTimeout(start, APART_MS);
  }

  function start(): void {
    timer = undefined;
    running = examineNext()
      .catch(options.failed)
      .finally(() => {
        running = undefined;
        if (waiting.length > 0 || isDue) schedule();
      });
  }

  async function examineNext(): Promise<void> {
    if (waiting.length === 0) {
      isDue = false;
      waiting = [...(await options.blocks.fullExtents())];
    }
    const extent = waiting.pop();
    if (extent !== undefined && (await compactExtent(options, extent))) options.emptied();
  }

  return {
    examineSoon() {
      isDue = true;
      schedule();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/**
 * Copies what is in use of a full extent to the extent that grows, and has the records refer to
 * it there; true if it did. The bytes are on disk before the records change, and the extent stays
 * until the requests of that moment have ended: those may still read it, or refer to it anew.
 */
export async function compactExtent(
  { store, blocks, inFlight }: CompactionOptions,
  extent: number,
): Promise<boolean> {
  if (!(await isMostlyDead(store, blocks, extent))) return false;
  const ended = inFlight.begin();
  try {
    for await (const group of liveGroups(store, extent)) {
      const length = group.reduce((sum, run) => sum + run.length, 0);
      const written = await blocks.write(blocks.read(group), { length, md5: false });
      await blocks.sync();
      await store.write((transaction) => refer(transaction, group, written));
    }
    return true;
  } catch (error) {
    // What cannot be read stays where it is, for whoever looks after the disk.
    if (error instanceof BlockReadError) return false;
    throw error;
  } finally {
    ended();
  }
}

/** Blocks that wait to be committed are known in memory as well, so they stay where they are. */
async function isMostlyDead({ db }: Store<StorageTables>, blocks: BlockStore, extent: number) {
  const staged = db.selectFrom("stagedBlock").select("id").where("extent", "=", extent).limit(1);
  if ((await staged.executeTakeFirst()) !== undefined) return false;
  // Snapshots and copies refer to the same runs.
  const runs = db
    .selectFrom("block")
    .select(["extentOffset", "length"])
    .distinct()
    .where("extent", "=", extent);
  const { live } = await db
    .selectFrom(runs.as("run"))
    .select(({ fn }) => fn.sum<number | string | null>("length").as("live"))
    .executeTakeFirstOrThrow();
  const bytes = Number(live ?? 0);
  return bytes > 0 && bytes <= (await blocks.extentBytes(extent)) * LIVE_SHARE_MAX;
}

/** The runs in use of an extent in their order, gathered; none of them meet. */
async function* liveGroups(
  store: Store<StorageTables>,
  extent: number,
): AsyncGenerator<readonly BlockRun[]> {
  let group: BlockRun[] = [];
  let bytes = 0;
  for await (const run of liveRuns(store, extent)) {
    group.push(run);
    bytes += run.length;
    if (bytes < MOVED_BYTES && group.length < MOVED_RUNS_MAX) continue;
    yield group;
    group = [];
    bytes = 0;
  }
  if (group.length > 0) yield group;
}

/** Records that share bytes, or are neighbours, as one run. */
async function* liveRuns(store: Store<StorageTables>, extent: number): AsyncGenerator<BlockRun> {
  let begin = 0;
  let end = 0;
  for await (const { extentOffset, length } of recordsOf(store, extent)) {
    if (extentOffset > end) {
      if (end > begin) yield { extent, offset: begin, length: end - begin };
      begin = extentOffset;
    }
    end = Math.max(end, extentOffset + length);
  }
  if (end > begin) yield { extent, offset: begin, length: end - begin };
}

/** Of the records that begin at one place, the longest. */
async function* recordsOf({ db }: Store<StorageTables>, extent: number) {
  let last = -1;
  for (;;) {
    const rows = await db
      .selectFrom("block")
      .select(({ fn }) => ["extentOffset", fn.max("length").as("length")])
      .where("extent", "=", extent)
      .where("extentOffset", ">", last)
      .groupBy("extentOffset")
      .orderBy("extentOffset")
      .limit(RECORDS_PAGE)
      .execute();
    yield* rows;
    if (rows.length < RECORDS_PAGE) return;
    last = rows.at(-1)?.extentOffset ?? last;
  }
}

/** Has the records of runs refer to where the runs are now, one behind the other. */
async function refer(
  transaction: Transaction<StorageTables>,
  runs: readonly BlockRun[],
  written: BlockRun,
): Promise<void> {
  let { offset } = written;
  for (const run of runs) {
    const to = { extent: written.extent, delta: offset - run.offset };
    // What was encrypted at once has one nonce, which tells where in the extent it began.
    const parts = await transaction
      .selectFrom("block")
      .select(({ fn }) => ["nonce", fn.min("extentOffset").as("first")])
      .select(({ fn }) => fn.max("extentOffset").as("last"))
      .where("extent", "=", run.extent)
      .where("extentOffset", ">=", run.offset)
      .where(sql<number>`extent_offset + length`, "<=", run.offset + run.length)
      .where("extentOffset", "<", run.offset + run.length)
      .groupBy("nonce")
      .execute();
    for (const part of parts) await move(transaction, { ...part, run }, to);
    offset += run.length;
  }
}

interface Part {
  readonly run: BlockRun;
  readonly nonce: Uint8Array | null;
  /** Where its first and its last record begin. */
  readonly first: number;
  readonly last: number;
}

async function move(
  transaction: Transaction<StorageTables>,
  { run, nonce, first, last }: Part,
  { extent, delta }: { readonly extent: number; readonly delta: number },
): Promise<void> {
  await transaction
    .updateTable("block")
    .set({
      extent,
      extentOffset: sql`extent_offset + ${delta}`,
      nonce: nonce === null ? null : movedNonce(nonce, delta),
    })
    .where("extent", "=", run.extent)
    .where("extentOffset", ">=", first)
    .where("extentOffset", "<=", last)
    .where(sql<number>`extent_offset + length`, "<=", run.offset + run.length)
    .where("nonce", nonce === null ? "is" : "=", nonce)
    .execute();
}
