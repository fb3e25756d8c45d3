import { CompiledQuery, type Compilable, type Transaction } from "kysely";
import type { BlobRow, BlockRow, ContainerRow, ServiceRow, StorageTables } from "../store.ts";
import type { RowChange } from "./changes.ts";

/** Rows per statement. Statements of every size up to here are kept, so it is small. */
const ROWS_MAX = 64;

const BLOCK_COLUMNS = [
  "blobId",
  "start",
  "extent",
  "extentOffset",
  "length",
  "crc64",
  "nonce",
  "blockId",
  "pageCrcs",
] as const;
const BLOB_COLUMNS = [
  "id",
  "containerId",
  "name",
  "snapshot",
  "type",
  "length",
  "blockCount",
  "etag",
  "lastModified",
  "createdAt",
  "contentType",
  "contentEncoding",
  "contentLanguage",
  "contentDisposition",
  "cacheControl",
  "contentMd5",
  "metadata",
  "lease",
  "sealed",
  "tier",
  "tierChangedAt",
  "tags",
  "snapshotCount",
  "copy",
  "copyRequest",
  "encryptionScope",
  "encryptionKeySha256",
  "sequenceNumber",
] as const;
/** What never changes of a row that is there. */
const FIXED_COLUMNS: ReadonlySet<string> = new Set([
  "id",
  "containerId",
  "name",
  "snapshot",
  "createdAt",
  "encryptionScope",
  "encryptionKeySha256",
]);

/** Writes changes in a transaction; see `createChangeWriter`. */
export type ChangeWriter = (
  transaction: Transaction<StorageTables>,
  changes: readonly RowChange[],
) => Promise<void>;

/**
 * Writes many changes in few statements. Ids are never used twice and the changes come in the
 * order in which they were decided, so only the last state of each row has to be written.
 *
 * The SQL of the two statements that every append needs is kept by its number of rows: building
 * it anew took longer than running it.
 */
export function createChangeWriter(): ChangeWriter {
  const kept = new Map<string, string>();

  return async function writeChanges(transaction, changes) {
    const plan = planOf(changes);
    await deleteContainers(transaction, plan.deletedContainers);
    await deleteBlobs(transaction, plan.deletedBlobs);
    for (const rows of chunks([...plan.containers.values()])) {
      await transaction
        .insertInto("container")
        .values(rows)
        .onConflict((same) =>
          same.column("id").doUpdateSet((row) => ({
            etag: row.ref("excluded.etag"),
            lastModified: row.ref("excluded.lastModified"),
            publicAccess: row.ref("excluded.publicAccess"),
            metadata: row.ref("excluded.metadata"),
            lease: row.ref("excluded.lease"),
            policies: row.ref("excluded.policies"),
          })),
        )
        .execute();
    }
    for (const row of plan.services.values()) await upsertService(transaction, row);
    for (const rows of chunks([...plan.blobs.values()])) {
      const sql = keptSql(`blob ${rows.length}`, () => upsertOf(transaction, rows));
      await transaction.executeQuery(CompiledQuery.raw(sql, valuesOf(rows, BLOB_COLUMNS)));
    }
    for (const rows of chunks(plan.blocks)) {
      const inColumnOrder = () => rows.map((row) => inOrder(row, BLOCK_COLUMNS));
      const sql = keptSql(`block ${rows.length}`, () =>
        transaction.insertInto("block").values(inColumnOrder()),
      );
      await transaction.executeQuery(CompiledQuery.raw(sql, valuesOf(rows, BLOCK_COLUMNS)));
    }
  };

  function keptSql(key: string, build: () => Compilable): string {
    const found = kept.get(key);
    if (found !== undefined) return found;
    const { sql } = build().compile();
    kept.set(key, sql);
    return sql;
  }
}

interface Plan {
  readonly services: Map<string, ServiceRow>;
  readonly containers: Map<number, ContainerRow>;
  readonly blobs: Map<number, BlobRow>;
  readonly blocks: readonly BlockRow[];
  readonly deletedContainers: ReadonlySet<number>;
  readonly deletedBlobs: ReadonlySet<number>;
}

function planOf(changes: readonly RowChange[]): Plan {
  const services = new Map<string, ServiceRow>();
  const containers = new Map<number, ContainerRow>();
  const blobs = new Map<number, BlobRow>();
  const deletedContainers = new Set<number>();
  const deletedBlobs = new Set<number>();

  for (const change of changes) {
    if (change.kind === "container") {
      containers.set(change.row.id, change.row);
    } else if (change.kind === "container-deleted") {
      deleteContainer(change.id);
    } else if (change.kind === "blob-deleted") {
      deleteBlob(change.id);
    } else if (change.kind === "service") {
      services.set(change.row.account, change.row);
    } else {
      if (change.replaces !== undefined) deleteBlob(change.replaces);
      blobs.set(change.row.id, change.row);
    }
  }
  const added = changes.flatMap((change) => (change.kind === "blob" ? change.blocks : []));
  const blocks =
    deletedBlobs.size === 0 ? added : added.filter(({ blobId }) => !deletedBlobs.has(blobId));
  return { services, containers, blobs, blocks, deletedContainers, deletedBlobs };

  function deleteContainer(id: number): void {
    containers.delete(id);
    deletedContainers.add(id);
    for (const blob of blobs.values()) {
      if (blob.containerId === id) deleteBlob(blob.id);
    }
  }

  function deleteBlob(id: number): void {
    blobs.delete(id);
    deletedBlobs.add(id);
  }
}

async function upsertService(
  transaction: Transaction<StorageTables>,
  row: ServiceRow,
): Promise<void> {
  await transaction
    .insertInto("service")
    .values(row)
    .onConflict((same) => same.column("account").doUpdateSet({ properties: row.properties }))
    .execute();
}

async function deleteContainers(
  transaction: Transaction<StorageTables>,
  ids: ReadonlySet<number>,
): Promise<void> {
  for (const id of ids) {
    const blobs = transaction.selectFrom("blob").select("id").where("containerId", "=", id);
    await transaction.deleteFrom("block").where("blobId", "in", blobs).execute();
    await transaction.deleteFrom("blob").where("containerId", "=", id).execute();
    await transaction.deleteFrom("container").where("id", "=", id).execute();
    const staged = transaction
      .selectFrom("stagedBlob")
      .select("generation")
      .where("containerId", "=", id);
    await transaction.deleteFrom("stagedBlock").where("generation", "in", staged).execute();
    await transaction.deleteFrom("stagedBlob").where("containerId", "=", id).execute();
  }
}

async function deleteBlobs(
  transaction: Transaction<StorageTables>,
  ids: ReadonlySet<number>,
): Promise<void> {
  for (const some of chunks([...ids])) {
    await transaction.deleteFrom("block").where("blobId", "in", some).execute();
    await transaction.deleteFrom("blob").where("id", "in", some).execute();
  }
}

function upsertOf(transaction: Transaction<StorageTables>, rows: readonly BlobRow[]): Compilable {
  return transaction
    .insertInto("blob")
    .values(rows.map((row) => inOrder(row, BLOB_COLUMNS)))
    .onConflict((same) =>
      same.column("id").doUpdateSet((row) => {
        const changing = BLOB_COLUMNS.filter((column) => !FIXED_COLUMNS.has(column));
        return Object.fromEntries(changing.map((name) => [name, row.ref(`excluded.${name}`)]));
      }),
    );
}

/** The same row with its columns in the order in which they are bound. */
function inOrder<Row extends object>(row: Row, columns: readonly (keyof Row)[]): Row {
  const ordered = { ...row };
  for (const column of columns) {
    const value = row[column];
    delete ordered[column];
    ordered[column] = value;
  }
  return ordered;
}

function valuesOf<Row>(rows: readonly Row[], columns: readonly (keyof Row)[]): unknown[] {
  return rows.flatMap((row) => columns.map((column) => row[column]));
}

function* chunks<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += ROWS_MAX) yield rows.slice(from, from + ROWS_MAX);
}
