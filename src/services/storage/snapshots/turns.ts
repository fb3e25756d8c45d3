import type { BlobEntry } from "../state/catalog.ts";

const turns = new WeakMap<BlobEntry, Promise<void>>();

/**
 * Runs one after the other what deletes snapshots of a blob: a snapshot is looked up on disk, so
 * whoever looks has to wait for those who delete.
 */
export async function inTurn<Result>(
  entry: BlobEntry,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = turns.get(entry);
  const { promise, resolve } = Promise.withResolvers<void>();
  turns.set(entry, promise);
  try {
    await before;
    return await work();
  } finally {
    resolve();
  }
}
