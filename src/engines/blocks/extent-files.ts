import { createHash } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import {
  BlockLengthError,
  type BlockStore,
  type WriteOptions,
  type WrittenBlock,
} from "./block-store.ts";
import { crc64 } from "./crc64.ts";
import { extentPath, findLastExtent, listExtents, makeDirectory } from "./extent-paths.ts";
import { ExtentReader } from "./extent-reader.ts";
import type { ExtentWriter } from "./extent-writer.ts";
import { ExtentWriters, WRITE_HANDLES_MAX } from "./extent-writers.ts";
import { shareRuns } from "./shared-run.ts";
import { checkLength, streamBytes, type Put } from "./stream-bytes.ts";
import { createUnsynced, type Unsynced } from "./unsynced.ts";

export interface ExtentFilesOptions {
  /** Made when it is missing. Only one process at a time may have it open. */
  readonly dir: string;
  /** A file that would grow beyond this is left as it is, and the next one begun. */
  readonly extentBytesMax?: number;
}

/** Space is given back by whole files, so they should not be too large. */
const EXTENT_BYTES_MAX = 2 ** 28;
/** Of a long write, bytes that are written before the disk is told to begin with them. */
const SYNC_AHEAD_BYTES = 8 * 2 ** 20;
/** Up to here bytes are written at once, and remembered until they are synced. */
const SHORT_BYTES_MAX = 16 * 1024;

/** Opens the extent files of a folder and goes on after the last byte there. */
export async function openExtentFiles(options: ExtentFilesOptions): Promise<BlockStore> {
  const { dir, extentBytesMax = EXTENT_BYTES_MAX } = options;
  await makeDirectory(dir);
  const writers = new ExtentWriters({ dir, extentBytesMax, last: await findLastExtent(dir) });
  const reader = new ExtentReader(dir);
  const unsynced = createUnsynced();
  const sync = shareRuns(() => unsynced.duringSync(() => writers.sync()));

  return {
    async write(source, writeOptions) {
      const { length } = writeOptions;
      writers.checkUsable();
      if (!Number.isSafeInteger(length) || length < 0) {
        throw new BlockLengthError(`A source cannot announce ${length} bytes.`);
      }
      if (writers.openExtents > WRITE_HANDLES_MAX) await sync();
      if (source instanceof Uint8Array && source.length <= SHORT_BYTES_MAX) {
        return writeShort({ writers, unsynced }, source, writeOptions);
      }
      const { writer, offset } = writers.reserve(length);
      try {
        const sums = await streamBytes(source, writeOptions, offset, putInto(writers, writer));
        return { extent: writer.number, offset, length, ...sums };
      } finally {
        writer.release();
        unsynced.addLong();
      }
    },
    sync,
    takeUnsynced() {
      writers.checkUsable();
      return unsynced.take();
    },
    read: (runs) => reader.read(runs),
    release: (chunk) => reader.release(chunk),
    async fullExtents() {
      // Short writes may never have been synced; a full extent is let go of by that.
      if (writers.openExtents > 1) await sync();
      const found = await listExtents(dir);
      return found.filter((extent) => !writers.isOpen(extent));
    },
    async extentBytes(extent) {
      return (await stat(extentPath(dir, extent))).size;
    },
    async removeExtents(extents) {
      for (const extent of extents) {
        if (writers.isOpen(extent)) throw new RangeError(`Extent ${extent} is not full.`);
        await reader.forget(extent);
        await rm(extentPath(dir, extent), { force: true });
      }
    },
    async close() {
      await Promise.all([writers.close(), reader.close()]);
    },
  };
}

/** Long writes reach the disk while they stream in, and not all at once at their end. */
function putInto(writers: ExtentWriters, writer: ExtentWriter): Put {
  let ahead = 0;
  return async (offset, buffers) => {
    const bytes = buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
    await writer.write(offset, buffers);
    ahead += bytes;
    if (ahead < SYNC_AHEAD_BYTES) return;
    ahead = 0;
    writers.syncAhead(writer);
  };
}

interface Writing {
  readonly writers: ExtentWriters;
  readonly unsynced: Unsynced;
}

/** A short write goes to the page cache at once: asking a thread to do it takes far longer. */
async function writeShort(
  { writers, unsynced }: Writing,
  bytes: Uint8Array,
  { length, md5: wantsMd5 }: WriteOptions,
): Promise<WrittenBlock> {
  checkLength(bytes.length, length);
  const { writer, offset } = writers.reserve(length);
  try {
    if (length > 0) await writer.writeNow(offset, bytes);
  } finally {
    writer.release();
  }
  const extent = writer.number;
  if (length > 0) unsynced.add({ extent, offset, bytes });
  const md5 = wantsMd5 ? createHash("md5").update(bytes).digest() : undefined;
  return { extent, offset, length, crc64: crc64(bytes), md5 };
}
