import type { FileHandle } from "node:fs/promises";

/** Bytes that wait to be written, and those who wait for them. */
export interface QueuedWrite {
  readonly offset: number;
  readonly length: number;
  readonly buffers: readonly Uint8Array[];
  readonly done: PromiseWithResolvers<void>;
}

/** One system call's worth. */
const BATCH_BYTES_MAX = 8 * 2 ** 20;
/** The most buffers that one system call takes (IOV_MAX). */
const BATCH_BUFFERS_MAX = 1024;

/** Groups writes that lie side by side, in the order of their offsets. */
export function groupWrites(writes: readonly QueuedWrite[]): QueuedWrite[][] {
  const batches: QueuedWrite[][] = [];
  let batch: QueuedWrite[] = [];
  let [end, bytes, buffers] = [-1, 0, 0];
  for (const write of writes.toSorted((a, b) => a.offset - b.offset)) {
    const fits =
      bytes + write.length <= BATCH_BYTES_MAX &&
      buffers + write.buffers.length <= BATCH_BUFFERS_MAX;
    if (write.offset !== end || !fits) {
      batch = [];
      batches.push(batch);
      [bytes, buffers] = [0, 0];
    }
    batch.push(write);
    end = write.offset + write.length;
    bytes += write.length;
    buffers += write.buffers.length;
  }
  return batches;
}

/** Writes all of the buffers, one behind the other. */
export async function writeFully(
  handle: FileHandle,
  buffers: readonly Uint8Array[],
  offset: number,
): Promise<void> {
  let rest = buffers.filter((buffer) => buffer.length > 0);
  let position = offset;
  while (rest.length > 0) {
    // A full disk takes a part first, and names its reason at the next call.
    const { bytesWritten } = await handle.writev(rest, position);
    if (bytesWritten === 0) throw new Error(`The disk took no bytes at offset ${position}.`);
    position += bytesWritten;
    rest = withoutFirst(rest, bytesWritten);
  }
}

function withoutFirst(buffers: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skip = bytes;
  return buffers.flatMap((buffer) => {
    const skipped = Math.min(skip, buffer.length);
    skip -= skipped;
    return skipped === buffer.length ? [] : [buffer.subarray(skipped)];
  });
}
