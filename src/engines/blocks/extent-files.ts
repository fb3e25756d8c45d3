import { BlockLengthError, type BlockStore } from "./block-store.ts";
import { findLastExtent, makeDirectory } from "./extent-paths.ts";
import { ExtentReader } from "./extent-reader.ts";
import { ExtentWriters, WRITE_HANDLES_MAX } from "./extent-writers.ts";
import { shareRuns } from "./shared-run.ts";
import { streamBytes } from "./stream-bytes.ts";

export interface ExtentFilesOptions {
  /** Made when it is missing. Only one process at a time may have it open. */
  readonly dir: string;
  /** A file that would grow beyond this is left as it is, and the next one begun. */
  readonly extentBytesMax?: number;
}

const EXTENT_BYTES_MAX = 2 ** 30;

/** Opens the extent files of a folder and goes on after the last byte there. */
export async function openExtentFiles(options: ExtentFilesOptions): Promise<BlockStore> {
  const { dir, extentBytesMax = EXTENT_BYTES_MAX } = options;
  await makeDirectory(dir);
  const writers = new ExtentWriters({ dir, extentBytesMax, last: await findLastExtent(dir) });
  const reader = new ExtentReader(dir);
  const sync = shareRuns(() => writers.sync());

  return {
    async write(source, writeOptions) {
      const { length } = writeOptions;
      writers.checkUsable();
      if (!Number.isSafeInteger(length) || length < 0) {
        throw new BlockLengthError(`A source cannot announce ${length} bytes.`);
      }
      if (writers.openExtents > WRITE_HANDLES_MAX) await sync();
      const { writer, offset } = writers.reserve(length);
      try {
        const put = writer.write.bind(writer);
        const sums = await streamBytes(source, writeOptions, offset, put);
        return { extent: writer.number, offset, length, ...sums };
      } finally {
        writer.release();
      }
    },
    sync,
    read: (runs) => reader.read(runs),
    async close() {
      await Promise.all([writers.close(), reader.close()]);
    },
  };
}
