import { CompiledQuery, type Kysely, type Transaction } from "kysely";
import type { BlockStore, UnsyncedBytes } from "#engines/blocks/block-store.ts";
import { restoreBytes } from "#engines/blocks/restore-bytes.ts";
import type { Migration, Store } from "#platform/store/store.ts";
import type { StorageTables } from "../store.ts";

/** Bytes that may be stored twice at a time; then the block store is synced once. */
const REDO_BYTES_MAX = 2 * 2 ** 20;

const REDO_COLUMNS = ["id", "extent", "extentOffset", "bytes"] as const;

export const addRedo: Migration = async (schema: Kysely<unknown>, { integer, bytes }) => {
  await schema.schema
    .createTable("redo")
    .addColumn("id", integer, (column) => column.primaryKey())
    .addColumn("extent", integer, (column) => column.notNull())
    .addColumn("extent_offset", integer, (column) => column.notNull())
    .addColumn("bytes", bytes, (column) => column.notNull())
    .execute();
};

/**
 * Puts bytes that a crash may have left out of the extent files back into them. For the start,
 * before the files in `dir` are opened.
 */
export async function restoreFromRedo(store: Store<StorageTables>, dir: string): Promise<void> {
  const found = store.db.selectFrom("redo").select(["extent", "extentOffset as offset", "bytes"]);
  const runs = await found.orderBy("id").execute();
  if (runs.length === 0) return;
  await restoreBytes(dir, runs);
  await store.write((transaction) => transaction.deleteFrom("redo").execute());
}

type Work = (transaction: Transaction<StorageTables>) => Promise<void>;

/**
 * Runs transactions that refer to new bytes, so that these are on disk when the transaction is.
 *
 * The few bytes of small blocks go into the transaction itself: one sync then covers both, which
 * halves what the client waits for. They are in the extent files as well, where they are read;
 * the copy is dropped at the next sync of these, and only ever read after a crash.
 */
export function createFlush(store: Store<StorageTables>, blocks: BlockStore) {
  const insert = createInsert();
  let redoBytes = 0;
  let lastId = 0;
  // What a transaction would have stored, and has not, is owed a sync.
  let mustSync = false;

  return async function flush(work: Work): Promise<void> {
    try {
      await flushOnce(work);
    } catch (error) {
      mustSync = true;
      throw error;
    }
  };

  async function flushOnce(work: Work): Promise<void> {
    const unsynced = blocks.takeUnsynced();
    const bytes = (unsynced ?? []).reduce((sum, run) => sum + run.bytes.length, redoBytes);
    if (unsynced !== undefined && bytes <= REDO_BYTES_MAX && !mustSync) {
      redoBytes = bytes;
      await store.write(async (transaction) => {
        for (const run of unsynced) await insert(transaction, (lastId += 1), run);
        await work(transaction);
      });
      return;
    }
    await blocks.sync();
    await store.write(async (transaction) => {
      if (redoBytes > 0) await transaction.deleteFrom("redo").execute();
      await work(transaction);
    });
    redoBytes = 0;
    mustSync = false;
  }
}

type Insert = (
  transaction: Transaction<StorageTables>,
  id: number,
  run: UnsyncedBytes,
) => Promise<void>;

/** The SQL is always the same: building it anew each time would take longer than running it. */
function createInsert(): Insert {
  let sql: string | undefined;
  return async function insert(transaction, id, { extent, offset, bytes }) {
    const row = { id, extent, extentOffset: offset, bytes };
    sql ??= transaction.insertInto("redo").values(row).compile().sql;
    const values = REDO_COLUMNS.map((column) => row[column]);
    await transaction.executeQuery(CompiledQuery.raw(sql, values));
  };
}
