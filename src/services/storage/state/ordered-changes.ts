import { sql, type Transaction } from "kysely";
import type { StorageTables } from "../store.ts";
import type { Change, LateChange, RowChange, StagingChange } from "./changes.ts";
import type { ChangeWriter } from "./commit-plan.ts";
import { writePages } from "./page-map.ts";

/** Rows per statement. */
const ROWS_MAX = 64;

/**
 * Writes changes in the order in which they were decided. Changes of rows are gathered for
 * `writeRows`; one that reads what was written before it comes after all of those.
 */
export async function writeInOrder(
  transaction: Transaction<StorageTables>,
  changes: readonly Change[],
  writeRows: ChangeWriter,
): Promise<void> {
  let gathered: RowChange[] = [];
  const singles = changes.flatMap((change) => (change.kind === "all" ? change.changes : [change]));
  for (const change of singles) {
    if (change.kind === "block-staged" || change.kind === "staging-dropped") {
      await writeStaging(transaction, change);
    } else if (isLate(change)) {
      await writeGathered();
      await writeLate(transaction, change);
    } else {
      gathered.push(change);
    }
  }
  await writeGathered();

  async function writeGathered(): Promise<void> {
    if (gathered.length > 0) await writeRows(transaction, gathered);
    gathered = [];
  }
}

function isLate(change: LateChange | RowChange): change is LateChange {
  const late = ["blob-copied", "service-deleted", "snapshots-deleted", "pages-written"];
  return late.includes(change.kind);
}

async function writeLate(
  transaction: Transaction<StorageTables>,
  change: LateChange,
): Promise<void> {
  if (change.kind === "pages-written") return writePages(transaction, change);
  if (change.kind === "snapshots-deleted") {
    const { containerId, name } = change;
    const ids = transaction
      .selectFrom("blob")
      .select("id")
      .where("containerId", "=", containerId)
      .where("name", "=", name)
      .where("snapshot", "<>", "");
    await transaction.deleteFrom("block").where("blobId", "in", ids).execute();
    await transaction.deleteFrom("blob").where("id", "in", ids).execute();
    return;
  }
  if (change.kind === "service-deleted") {
    await transaction.deleteFrom("service").where("account", "=", change.account).execute();
    return;
  }
  await copyBlob(transaction, change);
}

/** The name of a replaced blob goes first, and its blocks last: they may be what is copied. */
async function copyBlob(
  transaction: Transaction<StorageTables>,
  { row, source, replaces }: Extract<LateChange, { kind: "blob-copied" }>,
): Promise<void> {
  if (replaces !== undefined) {
    await transaction.deleteFrom("blob").where("id", "=", replaces).execute();
  }
  await transaction.insertInto("blob").values(row).execute();
  await transaction
    .insertInto("block")
    .columns([
      "blobId",
      "start",
      "extent",
      "extentOffset",
      "length",
      "crc64",
      "nonce",
      "blockId",
      "pageCrcs",
    ])
    .expression(
      transaction
        .selectFrom("block")
        .select([
          sql<number>`cast(${row.id} as bigint)`.as("blobId"),
          "start",
          "extent",
          "extentOffset",
          "length",
          "crc64",
          "nonce",
          "blockId",
          "pageCrcs",
        ])
        .where("blobId", "=", source.id)
        .where("start", "<", source.length),
    )
    .execute();
  if (replaces !== undefined) {
    await transaction.deleteFrom("block").where("blobId", "=", replaces).execute();
  }
}

async function writeStaging(
  transaction: Transaction<StorageTables>,
  change: StagingChange,
): Promise<void> {
  if (change.kind === "staging-dropped") {
    const { generation } = change;
    await transaction.deleteFrom("stagedBlock").where("generation", "=", generation).execute();
    await transaction.deleteFrom("stagedBlob").where("generation", "=", generation).execute();
    return;
  }
  const { blob, rows, replaces } = change;
  const { touchedAt } = blob;
  await transaction
    .insertInto("stagedBlob")
    .values(blob)
    .onConflict((same) => same.column("generation").doUpdateSet({ touchedAt }))
    .execute();
  if (replaces !== undefined) {
    await transaction.deleteFrom("stagedBlock").where("id", "=", replaces).execute();
  }
  for (let from = 0; from < rows.length; from += ROWS_MAX) {
    const some = rows.slice(from, from + ROWS_MAX);
    await transaction.insertInto("stagedBlock").values(some).execute();
  }
}
