import { sql, type Kysely } from "kysely";
import type { ColumnTypes, Migration } from "#platform/store/store.ts";

/** All tables, as the first start makes them. */
export const createTables: Migration = async (schema: Kysely<unknown>, types) => {
  await createAccountTables(schema, types);
  await createContainerTable(schema, types);
  await createBlobTable(schema, types);
  await createBlockTable(schema, types);
  await createTagIndex(schema);
  await createCopyIndex(schema);
  await createStagingTables(schema, types);
  await createScopeTable(schema, types);
};

/** Listings are in the order of the bytes. SQLite compares so unless told otherwise. */
function orderedText({ text, bytes }: ColumnTypes) {
  return bytes === "bytea" ? sql`text collate "C"` : text;
}

async function createContainerTable(schema: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { text, integer } = types;
  const ordered = orderedText(types);
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
    .addColumn("default_encryption_scope", text)
    .addColumn("deny_encryption_scope_override", integer, (column) => column.notNull())
    .addUniqueConstraint("container_name", ["account", "name"])
    .execute();
}

async function createBlobTable(schema: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { text, integer, bytes } = types;
  const ordered = orderedText(types);
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
    .addColumn("copy_request", bytes)
    .addColumn("encryption_scope", text)
    .addColumn("encryption_key_sha256", text)
    .addColumn("sequence_number", text)
    .addUniqueConstraint("blob_name", ["container_id", "name", "snapshot"])
    .execute();
}

async function createBlockTable(
  schema: Kysely<unknown>,
  { text, integer, bytes }: ColumnTypes,
): Promise<void> {
  await schema.schema
    .createTable("block")
    .addColumn("blob_id", integer, (column) => column.notNull())
    .addColumn("start", integer, (column) => column.notNull())
    .addColumn("extent", integer, (column) => column.notNull())
    .addColumn("extent_offset", integer, (column) => column.notNull())
    .addColumn("length", integer, (column) => column.notNull())
    .addColumn("crc64", bytes, (column) => column.notNull())
    .addColumn("nonce", bytes)
    .addColumn("block_id", text)
    .addColumn("page_crcs", bytes)
    // No block is empty, so its start names it; a range is found by the same index.
    .addPrimaryKeyConstraint("block_key", ["blob_id", "start"])
    .execute();
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

/** A start looks at no blob but those that are being copied. */
async function createCopyIndex(schema: Kysely<unknown>): Promise<void> {
  await schema.schema
    .createIndex("blob_copying")
    .on("blob")
    .column("container_id")
    .where(sql.ref("copy_request"), "is not", null)
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

async function createStagingTables({ schema }: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { text, integer, bytes } = types;
  await schema
    .createTable("staged_blob")
    .addColumn("generation", integer, (column) => column.primaryKey())
    .addColumn("container_id", integer, (column) => column.notNull())
    .addColumn("name", orderedText(types), (column) => column.notNull())
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
    .addColumn("nonce", bytes)
    .addColumn("encryption_scope", text)
    .addColumn("encryption_key_sha256", text)
    .addPrimaryKeyConstraint("staged_block_key", ["id", "piece"])
    .execute();
  await schema
    .createIndex("staged_block_generation")
    .on("staged_block")
    .column("generation")
    .execute();
}

async function createScopeTable(
  { schema }: Kysely<unknown>,
  { text, bytes }: Pick<ColumnTypes, "bytes" | "text">,
): Promise<void> {
  await schema
    .createTable("encryption_scope")
    .addColumn("account", text, (column) => column.notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("state", text, (column) => column.notNull())
    .addColumn("created_at", text, (column) => column.notNull())
    .addColumn("changed_at", text, (column) => column.notNull())
    .addColumn("sealed_key", bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint("encryption_scope_key", ["account", "name"])
    .execute();
}
