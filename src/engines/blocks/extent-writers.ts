import { BlockStoreClosedError, BlockSyncError } from "./block-store.ts";
import { extentPath } from "./extent-paths.ts";
import { ExtentWriter } from "./extent-writer.ts";

/** Extents kept open for writing. With more of them a write syncs first: that closes full ones. */
export const WRITE_HANDLES_MAX = 16;

interface ExtentWritersOptions {
  readonly dir: string;
  readonly extentBytesMax: number;
  /** Where to go on: the last extent that is there. */
  readonly last: { readonly number: number; readonly size: number } | undefined;
}

/** The extent that grows, and those before it that still have a writer or a sync to come. */
export class ExtentWriters {
  readonly #dir: string;
  readonly #extentBytesMax: number;
  readonly #open: Set<ExtentWriter>;
  #current: ExtentWriter;
  #failure: BlockSyncError | undefined;
  #closed = false;

  constructor({ dir, extentBytesMax, last }: ExtentWritersOptions) {
    this.#dir = dir;
    this.#extentBytesMax = extentBytesMax;
    this.#current = this.#begin(last?.number ?? 1, last?.size);
    this.#open = new Set([this.#current]);
  }

  get openExtents(): number {
    return this.#open.size;
  }

  /** Whether an extent is still written to, or not on disk as a whole. */
  isOpen(extent: number): boolean {
    return [...this.#open].some(({ number }) => number === extent);
  }

  /** Throws when nothing may be written any more. */
  checkUsable(): void {
    if (this.#closed) throw new BlockStoreClosedError();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** The extent is kept open until the caller calls the `release` of its writer. */
  reserve(length: number): { readonly writer: ExtentWriter; readonly offset: number } {
    const { size, number } = this.#current;
    if (size > 0 && size + length > this.#extentBytesMax) {
      this.#current = this.#begin(number + 1, undefined);
      this.#open.add(this.#current);
    }
    return { writer: this.#current, offset: this.#current.reserve(length) };
  }

  async sync(): Promise<void> {
    this.checkUsable();
    const synced = await Promise.allSettled([...this.#open].map((writer) => writer.sync()));
    const failed = synced.find((result) => result.status === "rejected");
    if (failed !== undefined) throw this.#fail(failed.reason);
    await this.#closeFull();
  }

  /** Its failure is one of the sync that comes: the system tells of it once only. */
  syncAhead(writer: ExtentWriter): void {
    writer.syncAhead().catch((error: unknown) => {
      if (!(error instanceof BlockStoreClosedError)) this.#fail(error);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#open].map((writer) => writer.close()));
  }

  #fail(cause: unknown): BlockSyncError {
    const message = "A sync failed: nothing written since the last one is known to be on disk.";
    this.#failure ??= new BlockSyncError(message, { cause });
    return this.#failure;
  }

  async #closeFull(): Promise<void> {
    const full = [...this.#open].filter((writer) => writer !== this.#current && writer.settled);
    for (const writer of full) this.#open.delete(writer);
    // All of it is on disk: a failure here has nothing to lose.
    await Promise.allSettled(full.map((writer) => writer.close()));
  }

  #begin(number: number, size: number | undefined): ExtentWriter {
    return new ExtentWriter(number, extentPath(this.#dir, number), size);
  }
}
