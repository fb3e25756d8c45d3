import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { syncFolder } from "#platform/durable-file.ts";
import type { UnsyncedBytes } from "./block-store.ts";
import { extentPath, makeDirectory } from "./extent-paths.ts";
import { writeFully } from "./write-batches.ts";

/**
 * Writes bytes that were stored elsewhere instead of being synced back to their places, and syncs
 * them. To be called before the folder is opened; to do it twice changes nothing.
 */
export async function restoreBytes(dir: string, runs: readonly UnsyncedBytes[]): Promise<void> {
  await makeDirectory(dir);
  const byExtent = Map.groupBy(runs, ({ extent }) => extent);
  for (const [extent, all] of byExtent) {
    // After a power failure even the file may be missing.
    const handle = await open(extentPath(dir, extent), constants.O_RDWR | constants.O_CREAT, 0o666);
    try {
      for (const { offset, bytes } of all) await writeFully(handle, [bytes], offset);
      await handle.datasync();
    } finally {
      await handle.close();
    }
  }
  await syncFolder(dir);
}
