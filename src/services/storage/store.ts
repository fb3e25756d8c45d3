import { sql, type Kysely } from "kysely";
import type { Migration } from "#platform/store/store.ts";

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
}

/** A run of bytes of a blob. Written once, never changed; goes when the blob goes. */
export interface BlockRow {
  readonly blobId: number;
  /** Where the run begins in the blob. */
  readonly start: number;
  readonly extent: number;
  /** Where the run begins in the extent. */
  readonly extentOffset: number;
  readonly length: number;
  readonly crc64: Uint8Array;
}

export interface StorageTables {
  service: ServiceRow;
  container: ContainerRow;
  blob: BlobRow;
  block: BlockRow;
}

export const migrations: readonly Migration[] = [
  async (schema: Kysely<unknown>, { text, integer, bytes }) => {
    // Listings are in the order of the bytes. SQLite compares so unless told otherwise.
    const ordered = bytes === "bytea" ? sql`text collate "C"` : text;
    await schema.schema
      .createTable("service")
      .addColumn("account", text, (column) => column.primaryKey())
      .addColumn("properties", text, (column) => column.notNull())
      .execute();
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
      .addUniqueConstraint("blob_name", ["container_id", "name"])
      .execute();
    await schema.schema
      .createTable("block")
      .addColumn("blob_id", integer, (column) => column.notNull())
      .addColumn("start", integer, (column) => column.notNull())
      .addColumn("extent", integer, (column) => column.notNull())
      .addColumn("extent_offset", integer, (column) => column.notNull())
      .addColumn("length", integer, (column) => column.notNull())
      .addColumn("crc64", bytes, (column) => column.notNull())
      // No block is empty, so its start names it; a range is found by the same index.
      .addPrimaryKeyConstraint("block_key", ["blob_id", "start"])
      .execute();
  },
];
