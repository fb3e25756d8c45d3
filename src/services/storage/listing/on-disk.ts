import type { Context } from "../context.ts";

/**
 * Resolves once all that a listing can have read is on disk: it reads the tables, where a change
 * is found a moment before it is acknowledged. When the disk has failed, reads go on without.
 */
export async function onDisk({ catalog, store }: Context): Promise<void> {
  if (catalog.failure() === undefined) await store.write(async () => {});
}
