import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CamelCasePlugin, Kysely, SqliteDialect } from "kysely";
import { syncFolder } from "../durable-file.ts";
import { migrate } from "./migrations.ts";
import { readingOnly } from "./reading.ts";
import { createSharedSync } from "./shared-sync.ts";
import { kyselyConnection } from "./sqlite-connection.ts";
import type { ColumnTypes, Migration, Store } from "./store.ts";
import { strictTables } from "./strict-tables.ts";
import { createWriteQueue } from "./write-queue.ts";

/** Another process may look into the file, a backup say; both then wait for each other. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * Pages in the write-ahead log at which SQLite carries them over into the database file. That
 * happens within a commit and takes two syncs, so it should be rare; 4096 pages are 16 MiB.
 */
const CHECKPOINT_PAGES = 4096;

const COLUMN_TYPES: ColumnTypes = { text: "text", integer: "integer", bytes: "blob" };

/** What a file needs beside its connection to write; memory needs none of it. */
interface Disk {
  readonly reader: DatabaseSync;
  /** Resolves once all commits made before the call are on disk. */
  readonly settle: () => Promise<void>;
  /** Throws when the disk has failed before. */
  readonly check: () => void;
  readonly close: () => Promise<void>;
}

/** A store in `file`, whose folder is made if it is missing, or in memory. */
export async function openSqliteStore<Tables>(
  file: string | undefined,
  migrations: readonly Migration[],
): Promise<Store<Tables>> {
  if (file !== undefined) await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const writer = openWriter(file);
  const queue = createWriteQueue();
  const writing = kyselyOn<Tables>(writer);
  try {
    await migrate(kyselyOn<unknown>(writer).withPlugin(strictTables), {
      where: file ?? "The memory",
      migrations,
      types: COLUMN_TYPES,
      lock: async () => {},
    });
    const disk = file === undefined ? undefined : await openDisk(file);
    const reading = disk === undefined ? writing : kyselyOn<Tables>(disk.reader);
    return {
      db: reading.withPlugin(readingOnly(queue.inside)),
      write: (work) =>
        queue.run(
          async () => {
            disk?.check();
            return writing.transaction().execute(work);
          },
          async () => disk?.settle(),
        ),
      close: async () => {
        await queue.close();
        await disk?.close();
        if (writer.isOpen) writer.close();
      },
    };
  } catch (error) {
    writer.close();
    throw error;
  }
}

function openWriter(file: string | undefined): DatabaseSync {
  const sqlite = new DatabaseSync(file ?? ":memory:", { timeout: BUSY_TIMEOUT_MS });
  try {
    sqlite.exec("pragma journal_mode = wal; pragma synchronous = normal;");
    sqlite.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES};`);
    // On macOS a plain fsync leaves data in the disk's cache; elsewhere this changes nothing.
    sqlite.exec("pragma checkpoint_fullfsync = on;");
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function kyselyOn<Tables>(sqlite: DatabaseSync): Kysely<Tables> {
  const dialect = new SqliteDialect({ database: kyselyConnection(sqlite) });
  return new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] });
}

/**
 * A commit is in the write-ahead log; syncing that file puts it on disk. This stays right when
 * the log is carried over and begins anew: with `synchronous = normal` SQLite syncs the log
 * before it carries over, and the database file before it writes the log's first page again.
 * What was committed is thus always in a synced file or in the log that is synced here. The log
 * is the same file for as long as a connection is open.
 */
async function openDisk(file: string): Promise<Disk> {
  const reader = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    const log = await open(`${file}-wal`, "r+");
    const shared = createSharedSync(() => log.datasync());
    await shared.covered();
    // A new file is only found after a crash when its name is on disk as well.
    await syncFolder(dirname(file));
    const close = async () => {
      await log.close();
      if (reader.isOpen) reader.close();
    };
    return { reader, settle: shared.covered, check: shared.check, close };
  } catch (error) {
    reader.close();
    throw error;
  }
}
