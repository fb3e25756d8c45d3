import { writeSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "#platform/durable-file.ts";
import { BlockStoreClosedError } from "./block-store.ts";

import { groupWrites, writeFully, type QueuedWrite } from "./write-batches.ts";

/** One extent file that takes writes. The file is made with the first byte. */
export class ExtentWriter {
  readonly number: number;
  readonly #path: string;
  /** Bytes that are spoken for, written or not. */
  #size: number;
  #writers = 0;
  #queue: QueuedWrite[] = [];
  #pumping = false;
  #handle: Promise<FileHandle> | undefined;
  /** Something was written since the last sync. */
  #dirty = false;
  /** The file was made here, and its folder has not been synced since. */
  #unnamed: boolean;
  #ahead: Promise<void> | undefined;
  #closed = false;

  /** An `end` of undefined is a file that does not exist yet. */
  constructor(number: number, path: string, end: number | undefined) {
    this.number = number;
    this.#path = path;
    this.#size = end ?? 0;
    this.#unnamed = end === undefined;
  }

  get size(): number {
    return this.#size;
  }

  /** Whether nobody writes and all that was written is on disk. */
  get settled(): boolean {
    return this.#writers === 0 && !this.#dirty;
  }

  /** Where the writer's bytes go. `release` says that it has finished, well or not. */
  reserve(length: number): number {
    const offset = this.#size;
    this.#size += length;
    this.#writers += 1;
    return offset;
  }

  release(): void {
    this.#writers -= 1;
  }

  /** Writes of many at once that lie side by side share a system call. */
  write(offset: number, buffers: readonly Uint8Array[]): Promise<void> {
    const length = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
    const done = Promise.withResolvers<void>();
    this.#queue.push({ offset, length, buffers, done });
    if (!this.#pumping) void this.#pump();
    return done.promise;
  }

  /** Writes a few bytes without handing them to a thread. */
  async writeNow(offset: number, bytes: Uint8Array): Promise<void> {
    const { fd } = await this.#open();
    // It may have been closed since, and the descriptor may be another file's by now.
    if (this.#closed) throw new BlockStoreClosedError();
    let written = 0;
    while (written < bytes.length) {
      const taken = writeSync(fd, bytes, written, bytes.length - written, offset + written);
      this.#dirty = true;
      if (taken === 0) throw new Error(`The disk took no bytes at offset ${offset + written}.`);
      written += taken;
    }
  }

  async sync(): Promise<void> {
    if (!this.#dirty) return;
    const unnamed = this.#unnamed;
    // What is written from here on is for the next sync.
    this.#dirty = false;
    this.#unnamed = false;
    const handle = await this.#open();
    const named = unnamed ? syncFolder(dirname(this.#path)) : undefined;
    // Of two at a time only one is told of a failure.
    await Promise.all([handle.datasync(), this.#ahead, named]);
  }

  /** Begins to bring what was written to the disk, so that the next sync has less to wait for. */
  syncAhead(): Promise<void> {
    this.#ahead ??= this.#open()
      .then((handle) => handle.datasync())
      .finally(() => (this.#ahead = undefined));
    return this.#ahead;
  }

  /** Finishes the system call that is under way and refuses the rest. */
  async close(): Promise<void> {
    this.#closed = true;
    const handle = await this.#handle?.catch(() => undefined);
    await handle?.close();
  }

  async #pump(): Promise<void> {
    this.#pumping = true;
    while (this.#queue.length > 0) {
      for (const batch of groupWrites(this.#queue.splice(0))) await this.#writeBatch(batch);
    }
    this.#pumping = false;
  }

  async #writeBatch(batch: readonly QueuedWrite[]): Promise<void> {
    try {
      const handle = await this.#open();
      const buffers = batch.flatMap((write) => write.buffers);
      await writeFully(handle, buffers, batch[0]?.offset ?? 0);
      this.#dirty = true;
      for (const write of batch) write.done.resolve();
    } catch (error) {
      for (const write of batch) write.done.reject(error);
    }
  }

  async #open(): Promise<FileHandle> {
    if (this.#closed) throw new BlockStoreClosedError();
    // A file that is new must not exist yet: it would be another process's.
    this.#handle ??= open(this.#path, this.#unnamed ? "wx+" : "r+");
    try {
      return await this.#handle;
    } catch (error) {
      // The next write may find a file descriptor again.
      this.#handle = undefined;
      throw error;
    }
  }
}
