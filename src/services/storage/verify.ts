import { access } from "node:fs/promises";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { BlockReadError } from "#engines/blocks/block-store.ts";
import { createCrc64 } from "#engines/blocks/crc64.ts";
import { ExtentReader } from "#engines/blocks/extent-reader.ts";
import { openStore } from "#platform/store/open-store.ts";
import type { StoreLocation } from "#platform/store/store.ts";
import { restoreFromRedo } from "./state/redo.ts";
import { migrations, type StorageTables } from "./store.ts";

/** Records read from the tables at a time. */
const RECORDS_PAGE = 1024;

/** A run of bytes of a blob that is not what was stored. */
export interface Damage {
  readonly account: string;
  readonly container: string;
  readonly blob: string;
  /** Of the snapshot; empty for the blob itself. */
  readonly snapshot: string;
  /** Offset in the blob, and bytes from there on. */
  readonly start: number;
  readonly length: number;
  readonly reason: string;
}

export interface VerifyOptions {
  readonly location: StoreLocation;
  /** Folder of the service, which no running Atoll may have. */
  readonly dir: string;
  readonly found: (damage: Damage) => void;
}

/** What was looked at. */
export interface Verified {
  readonly records: number;
  readonly bytes: number;
}

/** Reads the bytes of every blob, and compares them with the checksums taken when they came. */
export async function verifyStorage(options: VerifyOptions): Promise<Verified> {
  const { location, dir, found } = options;
  const store = await openStore<StorageTables>({ location, migrations });
  const extents = join(dir, "extents");
  const reader = new ExtentReader(extents);
  let [records, bytes] = [0, 0];
  try {
    // After a crash some bytes wait to be put back; that they are missing is no damage.
    await restoreFromRedo(store, extents);
    for await (const record of recordsOf(store.db)) {
      records += 1;
      bytes += record.length;
      const reason = await damageOf(reader, record);
      if (reason === undefined) continue;
      const { account, container, blob, snapshot, start, length } = record;
      found({ account, container, blob, snapshot, start, length, reason });
    }
    for (const blob of await blobsWithGaps(store.db)) found(blob);
    return { records, bytes };
  } finally {
    await reader.close();
    await store.close();
  }
}

/** Whether there is anything to verify at a place. */
export async function hasStorage(location: StoreLocation): Promise<boolean> {
  if (location.kind !== "sqlite") return true;
  return access(location.file).then(
    () => true,
    () => false,
  );
}

interface NamedRecord extends Omit<Damage, "reason"> {
  readonly blobId: number;
  readonly extent: number;
  readonly offset: number;
  readonly crc64: Uint8Array;
}

async function* recordsOf(db: Kysely<StorageTables>): AsyncGenerator<NamedRecord> {
  let last = { blobId: 0, start: -1 };
  for (;;) {
    const page = await pageAfter(db, last);
    yield* page;
    const end = page.at(-1);
    if (end === undefined) return;
    last = end;
  }
}

function pageAfter(
  db: Kysely<StorageTables>,
  { blobId, start }: Pick<NamedRecord, "blobId" | "start">,
): Promise<NamedRecord[]> {
  return db
    .selectFrom("block")
    .innerJoin("blob", "blob.id", "block.blobId")
    .innerJoin("container", "container.id", "blob.containerId")
    .select(["container.account", "container.name as container", "blob.name as blob"])
    .select(["blob.snapshot", "block.blobId", "block.start", "block.length", "block.extent"])
    .select(["block.extentOffset as offset", "block.crc64"])
    .where((where) =>
      where.or([
        where("block.blobId", ">", blobId),
        where.and([where("block.blobId", "=", blobId), where("block.start", ">", start)]),
      ]),
    )
    .orderBy("block.blobId")
    .orderBy("block.start")
    .limit(RECORDS_PAGE)
    .execute();
}

/** Blobs that are longer than what there are records of; pages need none. */
async function blobsWithGaps(db: Kysely<StorageTables>): Promise<Damage[]> {
  const rows = await db
    .selectFrom("blob")
    .innerJoin("container", "container.id", "blob.containerId")
    .leftJoin("block", "block.blobId", "blob.id")
    .select(["container.account", "container.name as container", "blob.name as blob"])
    .select(["blob.snapshot", "blob.length as total"])
    .select(({ fn }) => fn.sum<number | string | null>("block.length").as("recorded"))
    .where("blob.type", "<>", "PageBlob")
    .groupBy(["blob.id", "container.account", "container.name"])
    .having((row) =>
      row(row.fn.coalesce(row.fn.sum("block.length"), row.val(0)), "<", row.ref("blob.length")),
    )
    .execute();
  return rows.map(({ total, recorded, ...named }) => {
    const start = Number(recorded ?? 0);
    const reason = `The blob has ${total} bytes, and records of ${start} of them.`;
    return Object.assign(named, { start, length: total - start, reason });
  });
}

async function damageOf(reader: ExtentReader, record: NamedRecord): Promise<string | undefined> {
  const crc = createCrc64();
  try {
    for await (const chunk of reader.read([record])) crc.update(chunk);
  } catch (error) {
    if (error instanceof BlockReadError) return error.message;
    throw error;
  }
  if (Buffer.from(record.crc64).equals(crc.digest())) return undefined;
  return `Extent ${record.extent} holds other bytes at offset ${record.offset}.`;
}
