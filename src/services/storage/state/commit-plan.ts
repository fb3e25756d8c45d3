import type { Transaction } from "kysely";
import type { BlobRow, BlockRow, ContainerRow, StorageTables } from "../store.ts";

/** One change of the metadata, decided already; all of it takes place or nothing. */
export type Change =
  | { readonly kind: "container"; readonly row: ContainerRow }
  | { readonly kind: "container-deleted"; readonly id: number }
  | {
      readonly kind: "blob";
      readonly row: BlobRow;
      readonly blocks: readonly BlockRow[];
      /** The blob whose name this one takes. */
      readonly replaces?: number;
    }
  | { readonly kind: "blob-deleted"; readonly id: number };

/** Rows per statement: SQLite binds at most 32,766 values. */
const ROWS_MAX = 1000;

/**
 * Writes many changes in few statements. Ids are never used twice and the changes come in the
 * order in which they were decided, so only the last state of each row has to be written.
 */
export async function applyChanges(
  transaction: Transaction<StorageTables>,
  changes: readonly Change[],
): Promise<void> {
  const plan = planOf(changes);
  await deleteContainers(transaction, plan.deletedContainers);
  await deleteBlobs(transaction, plan.deletedBlobs);
  for (const rows of chunks([...plan.containers.values()])) {
    await transaction.insertInto("container").values(rows).execute();
  }
  for (const rows of chunks([...plan.blobs.values()])) await upsertBlobs(transaction, rows);
  for (const rows of chunks(plan.blocks)) {
    await transaction.insertInto("block").values(rows).execute();
  }
}

interface Plan {
  readonly containers: Map<number, ContainerRow>;
  readonly blobs: Map<number, BlobRow>;
  readonly blocks: readonly BlockRow[];
  readonly deletedContainers: ReadonlySet<number>;
  readonly deletedBlobs: ReadonlySet<number>;
}

function planOf(changes: readonly Change[]): Plan {
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
    } else {
      if (change.replaces !== undefined) deleteBlob(change.replaces);
      blobs.set(change.row.id, change.row);
    }
  }
  const added = changes.flatMap((change) => (change.kind === "blob" ? change.blocks : []));
  const blocks =
    deletedBlobs.size === 0 ? added : added.filter(({ blobId }) => !deletedBlobs.has(blobId));
  return { containers, blobs, blocks, deletedContainers, deletedBlobs };

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

async function deleteContainers(
  transaction: Transaction<StorageTables>,
  ids: ReadonlySet<number>,
): Promise<void> {
  for (const id of ids) {
    const blobs = transaction.selectFrom("blob").select("id").where("containerId", "=", id);
    await transaction.deleteFrom("block").where("blobId", "in", blobs).execute();
    await transaction.deleteFrom("blob").where("containerId", "=", id).execute();
    await transaction.deleteFrom("container").where("id", "=", id).execute();
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

async function upsertBlobs(
  transaction: Transaction<StorageTables>,
  rows: readonly BlobRow[],
): Promise<void> {
  await transaction
    .insertInto("blob")
    .values(rows)
    .onConflict((same) =>
      same.column("id").doUpdateSet((row) => ({
        length: row.ref("excluded.length"),
        blockCount: row.ref("excluded.blockCount"),
        etag: row.ref("excluded.etag"),
        lastModified: row.ref("excluded.lastModified"),
      })),
    )
    .execute();
}

function* chunks<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += ROWS_MAX) yield rows.slice(from, from + ROWS_MAX);
}
