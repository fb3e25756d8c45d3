import { createHash } from "node:crypto";
import {
  BlockLengthError,
  type BlockSource,
  type WriteOptions,
  type WrittenBlock,
} from "./block-store.ts";
import { createCrc64 } from "./crc64.ts";

/** Small chunks are gathered up to about so many bytes before they are written. */
const GATHERED_BYTES = 256 * 1024;

/** Writes buffers one behind the other; they stay as they are until it resolves. */
export type Put = (offset: number, buffers: readonly Uint8Array[]) => Promise<void>;

/** Hashes a source while it is written from `offset` on; hashing and writing overlap. */
export async function streamBytes(
  source: BlockSource,
  { length, md5, isOwner = false }: WriteOptions,
  offset: number,
  put: Put,
): Promise<Pick<WrittenBlock, "crc64" | "md5">> {
  const crc = createCrc64();
  const hash = md5 ? createHash("md5") : undefined;
  const gathering = gather(offset, isOwner ? putAndFree(put) : put);
  let received = 0;
  try {
    for await (const chunk of source instanceof Uint8Array ? [source] : source) {
      received += chunk.length;
      if (received > length) checkLength(received, length);
      for (const piece of piecesOf(chunk)) {
        crc.update(piece);
        hash?.update(piece);
        await gathering.add(piece);
      }
    }
    checkLength(received, length);
    await gathering.flush();
  } finally {
    await gathering.settle();
  }
  return { crc64: crc.digest(), md5: hash?.digest() };
}

/**
 * Left to the collector, memory of chunks makes it run every few dozen mebibytes, over all that
 * the process has: that took a third of the time of a large upload.
 */
function putAndFree(put: Put): Put {
  return async (offset, buffers) => {
    await put(offset, buffers);
    for (const { buffer, byteLength } of buffers) {
      const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
      // What is moved to a place without room is freed.
      if (isWhole && !buffer.detached) buffer.transfer(0);
    }
  };
}

/** Refuses a source that gave another number of bytes than it had announced. */
export function checkLength(received: number, announced: number): void {
  if (received === announced) return;
  const seen = received > announced ? `at least ${received}` : `${received}`;
  throw new BlockLengthError(`The source announced ${announced} bytes and gave ${seen}.`);
}

/** A long array in pieces, so that others get their turn in between. */
function* piecesOf(chunk: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < chunk.length; start += GATHERED_BYTES) {
    yield chunk.subarray(start, start + GATHERED_BYTES);
  }
}

/** At most one write is under way while the next is gathered. */
function gather(offset: number, put: Put) {
  let end = offset;
  let gathered: Uint8Array[] = [];
  let bytes = 0;
  let writing: Promise<void> = Promise.resolve();

  async function start(): Promise<void> {
    await writing;
    writing = put(end, gathered);
    // Whoever comes next awaits it; until then its failure is nobody's.
    writing.catch(() => undefined);
    end += bytes;
    gathered = [];
    bytes = 0;
  }

  return {
    async add(piece: Uint8Array): Promise<void> {
      gathered.push(piece);
      bytes += piece.length;
      if (bytes >= GATHERED_BYTES) await start();
    },
    async flush(): Promise<void> {
      if (bytes > 0) await start();
      await writing;
    },
    async settle(): Promise<void> {
      await Promise.allSettled([writing]);
    },
  };
}
