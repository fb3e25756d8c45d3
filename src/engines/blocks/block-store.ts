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

export interface WriteOptions {
  /** How many bytes will come. Fewer or more is a `BlockLengthError`. */
  readonly length: number;
  readonly md5: boolean;
}

/** The source gave fewer or more bytes than it had announced. */
export class BlockLengthError extends Error {
  override readonly name = "BlockLengthError";
}

/** The bytes of blobs. An object store can implement this as well as extent files do. */
export interface BlockStore {
  /** Stores the bytes while they stream in. They are on disk only after `sync`. */
  readonly write: (
    source: AsyncIterable<Uint8Array> | Uint8Array,
    options: WriteOptions,
  ) => Promise<WrittenBlock>;
  /** Resolves once everything written before the call is on disk. Shared by all that wait. */
  readonly sync: () => Promise<void>;
  /** The bytes of the runs, in order; neighbouring runs are read as one. */
  readonly read: (runs: readonly BlockRun[]) => AsyncIterable<Uint8Array>;
  readonly close: () => Promise<void>;
}
