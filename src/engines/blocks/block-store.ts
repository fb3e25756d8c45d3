/**
 * Where a run of bytes lies. Runs never change once they are written: deleting a blob drops
 * references, and several blobs may refer to the same run or to a part of it.
 */
export interface BlockRun {
  /** Number of the extent file. */
  readonly extent: number;
  /** Byte offset in the extent file. */
  readonly offset: number;
  /** Bytes. */
  readonly length: number;
}

/** What is known of bytes that have just been written. */
export interface WrittenBlock extends BlockRun {
  /** CRC-64/NVME of the bytes, eight bytes little-endian, as the blob protocol sends it. */
  readonly crc64: Uint8Array;
  /** MD5 of the bytes (16 bytes), when it was asked for. */
  readonly md5: Uint8Array | undefined;
}

/** Bytes that are written and may not be on disk yet. */
export interface UnsyncedBytes extends Omit<BlockRun, "length"> {
  readonly bytes: Uint8Array;
}

export interface WriteOptions {
  /** How many bytes will come. Fewer or more is a `BlockLengthError`. */
  readonly length: number;
  readonly md5: boolean;
  /** The chunks are nobody else's: their memory is given back as soon as they are written. */
  readonly isOwner?: boolean;
}

/** Chunks must stay as they are until they are synced, or taken as unsynced and stored. */
export type BlockSource = AsyncIterable<Uint8Array> | Uint8Array;

/** The source gave fewer or more bytes than it had announced. */
export class BlockLengthError extends Error {
  override readonly name = "BlockLengthError";
}

/**
 * A sync failed, and nothing written since the last good one is known to be on disk: what the
 * page cache still shows proves nothing. The store takes no more writes until it is opened anew.
 */
export class BlockSyncError extends Error {
  override readonly name = "BlockSyncError";
}

/** A run refers to bytes that cannot be read. */
export class BlockReadError extends Error {
  override readonly name = "BlockReadError";
  readonly extent: number;
  /** The first byte that is missing. */
  readonly offset: number;

  constructor({ extent, offset }: Omit<BlockRun, "length">, reason: string, cause?: unknown) {
    super(`Extent ${extent} cannot be read at offset ${offset}: ${reason}.`, { cause });
    this.extent = extent;
    this.offset = offset;
  }
}

/** The store has been closed. */
export class BlockStoreClosedError extends Error {
  override readonly name = "BlockStoreClosedError";
  override readonly message = "The block store is closed.";
}

/** The bytes of blobs. An object store can implement this as well as extent files do. */
export interface BlockStore {
  /**
   * Stores the bytes while they stream in. They are on disk only after `sync`. What fails, the
   * source included, rejects with its own error and leaves bytes that nothing refers to; the
   * source's iterator is then returned, which destroys a stream that has not been told otherwise.
   */
  readonly write: (source: BlockSource, options: WriteOptions) => Promise<WrittenBlock>;
  /**
   * Resolves once every write that had resolved before the call is on disk. Shared by all that
   * wait. After a failure every later write and sync is a `BlockSyncError`.
   */
  readonly sync: () => Promise<void>;
  /**
   * Every write since the last sync or the last call, if these are few bytes: whoever stores them
   * durably together with what refers to them needs no sync. They are owed to `restoreBytes` when
   * the folder is opened next, unless a sync has covered them. Undefined where only a sync will
   * do. Throws as `write` does after a failure.
   */
  readonly takeUnsynced: () => readonly UnsyncedBytes[] | undefined;
  /** The bytes of the runs, in order; neighbouring runs are read as one. */
  readonly read: (runs: readonly BlockRun[]) => AsyncIterable<Uint8Array>;
  /**
   * Gives a chunk of `read` back, which may then be read into again: for whoever has looked at a
   * chunk and knows that nobody else will. A chunk that is not given back stays as it is.
   */
  readonly release: (chunk: Uint8Array) => void;
  /** Extents that are on disk as a whole, and to which nothing is written any more. */
  readonly fullExtents: () => Promise<readonly number[]>;
  /** Bytes of an extent, whether anything refers to them or not. */
  readonly extentBytes: (extent: number) => Promise<number>;
  /** Deletes full extents. Whoever still refers to one gets a `BlockReadError`. */
  readonly removeExtents: (extents: readonly number[]) => Promise<void>;
  /** Lets go of the files. What has not been synced may be lost; what still streams is refused. */
  readonly close: () => Promise<void>;
}
