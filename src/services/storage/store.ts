import type { Migration } from "#platform/store/store.ts";
import { createTables } from "./state/create-tables.ts";
import { addExtentIndex } from "./state/garbage.ts";
import { addRedo } from "./state/redo.ts";

export interface ContainerRow {
  readonly id: number;
  readonly account: string;
  readonly name: string;
  /** Without quotes, `0x` and fifteen hexadecimal digits. */
  readonly etag: string;
  /** ISO 8601. */
  readonly lastModified: string;
  readonly publicAccess: string | null;
  /** JSON object of text. */
  readonly metadata: string;
  /** The lease as JSON; null while there is none to remember. */
  readonly lease: string | null;
  /** Stored access policies as a JSON array; null where there are none. */
  readonly policies: string | null;
  /** What encrypts blobs whose requests say nothing of it; null for nothing. */
  readonly defaultEncryptionScope: string | null;
  /** 1 when requests may name no other. */
  readonly denyEncryptionScopeOverride: number;
}

/** A storage account that was made here. */
export interface AccountRow {
  readonly name: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly location: string;
  readonly kind: string;
  readonly sku: string;
  /** JSON object of text. */
  readonly tags: string;
  /** The keys, sealed. */
  readonly sealedKeys: Uint8Array;
  /** 1 while it is being deleted. */
  readonly leaving: number;
}

/** What an account says of the blob service as a whole. */
export interface ServiceRow {
  readonly account: string;
  /** JSON. */
  readonly properties: string;
}

export interface BlobRow {
  readonly id: number;
  readonly containerId: number;
  readonly name: string;
  /** The time that names a snapshot; empty for the blob itself. */
  readonly snapshot: string;
  readonly type: string;
  /** Bytes. */
  readonly length: number;
  /** Committed blocks of an append blob; 0 for the others. */
  readonly blockCount: number;
  readonly etag: string;
  readonly lastModified: string;
  readonly createdAt: string;
  readonly contentType: string | null;
  readonly contentEncoding: string | null;
  readonly contentLanguage: string | null;
  readonly contentDisposition: string | null;
  readonly cacheControl: string | null;
  /** Base64. */
  readonly contentMd5: string | null;
  readonly metadata: string;
  /** As that of a container. */
  readonly lease: string | null;
  /** 1 when an append blob takes no more blocks. */
  readonly sealed: number;
  /** Null while it was never set. */
  readonly tier: string | null;
  readonly tierChangedAt: string | null;
  /** JSON object of text; null where there are none. */
  readonly tags: string | null;
  /** Snapshots that the blob has; 0 for a snapshot. */
  readonly snapshotCount: number;
  /** The copy that the blob came from, as JSON. */
  readonly copy: string | null;
  /** Of a copy from another server that is under way, sealed: what it takes to go on. */
  readonly copyRequest: Uint8Array | null;
  /** The scope that the content is encrypted by. */
  readonly encryptionScope: string | null;
  /** Base64; of the customer's key that the content is encrypted with. */
  readonly encryptionKeySha256: string | null;
  /** Of a page blob: 0 to 2^63 - 1 in decimal; null for the others. */
  readonly sequenceNumber: string | null;
}

/**
 * A run of bytes of a blob. Written once, never changed; goes when the blob goes, or when what a
 * page blob has there is written anew.
 */
export interface BlockRow {
  readonly blobId: number;
  /** Where the run begins in the blob. */
  readonly start: number;
  readonly extent: number;
  /** Where the run begins in the extent. */
  readonly extentOffset: number;
  readonly length: number;
  /** Of the bytes as they lie in the extent. */
  readonly crc64: Uint8Array;
  /** See `encryption/keystream.ts`; null where the bytes are not encrypted. */
  readonly nonce: Uint8Array | null;
  /** Base64 name of the block of a block list that begins here. */
  readonly blockId: string | null;
  /** Of several pages of a page blob: see `state/page-map.ts`. */
  readonly pageCrcs: Uint8Array | null;
}

/** A name for which blocks wait to be committed. */
export interface StagedBlobRow {
  /** Another one whenever the blocks were dropped or committed. */
  readonly generation: number;
  readonly containerId: number;
  readonly name: string;
  /** ISO 8601; when the last block came. */
  readonly touchedAt: string;
}

/** A run of bytes of a block that waits to be committed. */
export interface StagedBlockRow {
  /** Of the upload; the same for all runs of it. */
  readonly id: number;
  /** Place of the run in the block. */
  readonly piece: number;
  readonly generation: number;
  readonly blockId: string;
  readonly extent: number;
  readonly extentOffset: number;
  readonly length: number;
  readonly crc64: Uint8Array;
  readonly nonce: Uint8Array | null;
  readonly encryptionScope: string | null;
  readonly encryptionKeySha256: string | null;
}

/** Encrypts the blobs that name it, with a key of its own. */
export interface EncryptionScopeRow {
  readonly account: string;
  readonly name: string;
  readonly state: "Disabled" | "Enabled";
  /** ISO 8601. */
  readonly createdAt: string;
  readonly changedAt: string;
  readonly sealedKey: Uint8Array;
}

/** Bytes of small blocks that may not be in their extent for good. */
export interface RedoRow {
  readonly id: number;
  readonly extent: number;
  readonly extentOffset: number;
  readonly bytes: Uint8Array;
}

export interface StorageTables {
  account: AccountRow;
  service: ServiceRow;
  container: ContainerRow;
  blob: BlobRow;
  block: BlockRow;
  stagedBlob: StagedBlobRow;
  stagedBlock: StagedBlockRow;
  redo: RedoRow;
  encryptionScope: EncryptionScopeRow;
}

export const migrations: readonly Migration[] = [createTables, addRedo, addExtentIndex];
