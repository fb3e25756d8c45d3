import { open, type FileHandle } from "node:fs/promises";
import { BlockReadError, BlockStoreClosedError, type BlockRun } from "./block-store.ts";
import { extentPath } from "./extent-paths.ts";

/** Files kept open for reading; beyond that the one that was used longest ago is closed. */
export const READ_HANDLES_MAX = 64;
/** The longest piece that is read, and given out, at once. */
const CHUNK_BYTES_MAX = 512 * 1024;
/** Chunks kept for the next read once they were given back; 8 MiB. */
const FREE_CHUNKS_MAX = 16;

/** Reads runs of bytes from the extent files of a folder. */
export class ExtentReader {
  readonly #dir: string;
  /** The one that was used longest ago comes first. */
  readonly #handles = new Map<number, Promise<FileHandle>>();
  /** Those that were given out and may come back. */
  readonly #lent = new WeakSet<Uint8Array>();
  readonly #free: Uint8Array[] = [];
  #closed = false;

  constructor(dir: string) {
    this.#dir = dir;
  }

  get openHandles(): number {
    return this.#handles.size;
  }

  /** The next chunk is read while the one before is looked at. */
  async *read(runs: readonly BlockRun[]): AsyncGenerator<Uint8Array> {
    let ahead: Promise<Uint8Array> | undefined;
    for (const chunk of chunksOf(runs)) {
      const before = ahead;
      ahead = this.#readChunk(chunk);
      // Whoever goes on awaits it; until then its failure is nobody's.
      ahead.catch(() => undefined);
      if (before !== undefined) yield await before;
    }
    if (ahead !== undefined) yield await ahead;
  }

  /** Takes a chunk of `read` back, to read into it again; anything else is let be. */
  release(chunk: Uint8Array): void {
    if (!this.#lent.delete(chunk)) return;
    if (this.#free.length < FREE_CHUNKS_MAX) this.#free.push(chunk);
  }

  /** Lets go of an extent that is going to be deleted. */
  forget(extent: number): Promise<void> {
    return this.#drop(extent);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#handles.keys()].map((extent) => this.#drop(extent)));
  }

  async #readChunk({ extent, offset, length }: BlockRun): Promise<Uint8Array> {
    const chunk = this.#chunk(length);
    let filled = 0;
    while (filled < length) {
      const place = { extent, offset: offset + filled };
      const { bytesRead } = await this.#readOnce(place, chunk.subarray(filled));
      if (bytesRead === 0) throw new BlockReadError(place, "the file ends there");
      filled += bytesRead;
    }
    return chunk;
  }

  /** Memory that is taken anew for each chunk costs as much as reading, and wakes the collector. */
  #chunk(length: number): Uint8Array {
    if (length < CHUNK_BYTES_MAX) return Buffer.allocUnsafeSlow(length);
    const chunk = this.#free.pop() ?? Buffer.allocUnsafeSlow(length);
    this.#lent.add(chunk);
    return chunk;
  }

  async #readOnce(place: Omit<BlockRun, "length">, into: Uint8Array) {
    if (this.#closed) throw new BlockStoreClosedError();
    try {
      const handle = await this.#handleOf(place.extent);
      return await handle.read(into, 0, into.length, place.offset);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new BlockReadError(place, reason, error);
    }
  }

  /**
   * A handle for one read that begins at once. To close a handle waits for what is under way,
   * and those who got the promise first run first: nobody finds it closed.
   */
  #handleOf(extent: number): Promise<FileHandle> {
    const known = this.#handles.get(extent);
    const handle = known ?? open(extentPath(this.#dir, extent), "r");
    // Putting it back makes it the last in line.
    this.#handles.delete(extent);
    this.#handles.set(extent, handle);
    if (known === undefined) {
      handle.catch(() => this.#handles.delete(extent));
      this.#dropOldest();
    }
    return handle;
  }

  #dropOldest(): void {
    if (this.#handles.size <= READ_HANDLES_MAX) return;
    const [oldest] = this.#handles.keys();
    if (oldest !== undefined) void this.#drop(oldest);
  }

  async #drop(extent: number): Promise<void> {
    const handle = this.#handles.get(extent);
    this.#handles.delete(extent);
    // Nothing was written through it, so nothing is lost when closing fails.
    await handle?.then((opened) => opened.close()).catch(() => undefined);
  }
}

function* chunksOf(runs: readonly BlockRun[]): Generator<BlockRun> {
  for (const { extent, offset, length } of joinNeighbours(runs)) {
    const end = offset + length;
    for (let start = offset; start < end; start += CHUNK_BYTES_MAX) {
      yield { extent, offset: start, length: Math.min(CHUNK_BYTES_MAX, end - start) };
    }
  }
}

/** The runs in order, those that follow each other in one extent made one, empty ones left out. */
export function* joinNeighbours(runs: Iterable<BlockRun>): Generator<BlockRun> {
  let joined: BlockRun | undefined;
  for (const { extent, offset, length } of runs) {
    if (length === 0) continue;
    if (joined?.extent === extent && joined.offset + joined.length === offset) {
      joined = { extent, offset: joined.offset, length: joined.length + length };
    } else {
      if (joined !== undefined) yield joined;
      joined = { extent, offset, length };
    }
  }
  if (joined !== undefined) yield joined;
}
