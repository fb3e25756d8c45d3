import { sql, type Kysely } from "kysely";
import type { ColumnTypes, Migration } from "#platform/store/store.ts";
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
  readonly crc64: Uint8Array;
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
}

/** Searches by tags look at no blob without any. */
async function createTagIndex(schema: Kysely<unknown>): Promise<void> {
  await schema.schema
    .createIndex("blob_tagged")
    .on("blob")
    .columns(["container_id", "name"])
    .where(sql.ref("tags"), "is not", null)
    .execute();
}

async function createAccountTables(
  { schema }: Kysely<unknown>,
  { text, integer, bytes }: ColumnTypes,
): Promise<void> {
  await schema
    .createTable("account")
    .addColumn("name", text, (column) => column.primaryKey())
    .addColumn("created_at", text, (column) => column.notNull())
    .addColumn("location", text, (column) => column.notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("sku", text, (column) => column.notNull())
    .addColumn("tags", text, (column) => column.notNull())
    .addColumn("sealed_keys", bytes, (column) => column.notNull())
    .addColumn("leaving", integer, (column) => column.notNull())
    .execute();
  await schema
    .createTable("service")
    .addColumn("account", text, (column) => column.primaryKey())
    .addColumn("properties", text, (column) => column.notNull())
    .execute();
}

export const migrations: readonly Migration[] = [
  async (schema: Kysely<unknown>, { text, integer, bytes }) => {
    // Listings are in the order of the bytes. SQLite compares so unless told otherwise.
    const ordered = bytes === "bytea" ? sql`text collate "C"` : text;
    await createAccountTables(schema, { text, integer, bytes });
    await schema.schema
      .createTable("container")
      .addColumn("id", integer, (column) => column.primaryKey())
      .addColumn("account", text, (column) => column.notNull())
      .addColumn("name", ordered, (column) => column.notNull())
      .addColumn("etag", text, (column) => column.notNull())
      .addColumn("last_modified", text, (column) => column.notNull())
      .addColumn("public_access", text)
      .addColumn("metadata", text, (column) => column.notNull())
      .addColumn("lease", text)
      .addColumn("policies", text)
      .addUniqueConstraint("container_name", ["account", "name"])
      .execute();
    await schema.schema
      .createTable("blob")
      .addColumn("id", integer, (column) => column.primaryKey())
      .addColumn("container_id", integer, (column) => column.notNull())
      .addColumn("name", ordered, (column) => column.notNull())
      .addColumn("snapshot", text, (column) => column.notNull().defaultTo(""))
      .addColumn("type", text, (column) => column.notNull())
      .addColumn("length", integer, (column) => column.notNull())
      .addColumn("block_count", integer, (column) => column.notNull())
      .addColumn("etag", text, (column) => column.notNull())
      .addColumn("last_modified", text, (column) => column.notNull())
      .addColumn("created_at", text, (column) => column.notNull())
      .addColumn("content_type", text)
      .addColumn("content_encoding", text)
      .addColumn("content_language", text)
      .addColumn("content_disposition", text)
      .addColumn("cache_control", text)
      .addColumn("content_md5", text)
      .addColumn("metadata", text, (column) => column.notNull())
      .addColumn("lease", text)
      .addColumn("sealed", integer, (column) => column.notNull().defaultTo(0))
      .addColumn("tier", text)
      .addColumn("tier_changed_at", text)
      .addColumn("tags", text)
      .addColumn("snapshot_count", integer, (column) => column.notNull().defaultTo(0))
      .addColumn("copy", text)
      .addColumn("sequence_number", text)
      .addUniqueConstraint("blob_name", ["container_id", "name", "snapshot"])
      .execute();
    await schema.schema
      .createTable("block")
      .addColumn("blob_id", integer, (column) => column.notNull())
      .addColumn("start", integer, (column) => column.notNull())
      .addColumn("extent", integer, (column) => column.notNull())
      .addColumn("extent_offset", integer, (column) => column.notNull())
      .addColumn("length", integer, (column) => column.notNull())
      .addColumn("crc64", bytes, (column) => column.notNull())
      .addColumn("block_id", text)
      .addColumn("page_crcs", bytes)
      // No block is empty, so its start names it; a range is found by the same index.
      .addPrimaryKeyConstraint("block_key", ["blob_id", "start"])
      .execute();
    await createTagIndex(schema);
    await createStagingTables(schema, { text, integer, bytes });
  },
  addRedo,
  addExtentIndex,
];

async function createStagingTables(
  { schema }: Kysely<unknown>,
  { text, integer, bytes }: ColumnTypes,
): Promise<void> {
  await schema
    .createTable("staged_blob")
    .addColumn("generation", integer, (column) => column.primaryKey())
    .addColumn("container_id", integer, (column) => column.notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("touched_at", text, (column) => column.notNull())
    .addUniqueConstraint("staged_blob_name", ["container_id", "name"])
    .execute();
  await schema
    .createTable("staged_block")
    .addColumn("id", integer, (column) => column.notNull())
    .addColumn("piece", integer, (column) => column.notNull())
    .addColumn("generation", integer, (column) => column.notNull())
    .addColumn("block_id", text, (column) => column.notNull())
    .addColumn("extent", integer, (column) => column.notNull())
    .addColumn("extent_offset", integer, (column) => column.notNull())
    .addColumn("length", integer, (column) => column.notNull())
    .addColumn("crc64", bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint("staged_block_key", ["id", "piece"])
    .execute();
  await schema
    .createIndex("staged_block_generation")
    .on("staged_block")
    .column("generation")
    .execute();
}
