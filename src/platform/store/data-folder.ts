import {
  access,
  constants,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { NewerStoreError } from "./migrations.ts";

/** How the folder is laid out: one subfolder per service, beside the files named below. */
const FORMAT = 1;
const VERSION_FILE = "version";
const LOCK_FILE = "lock";
const PID_FILE = "pid";

const OWNER_ONLY = 0o700;
const SERVICE_NAME = /^[a-z][a-z0-9-]{0,62}$/;
const SQLITE_BUSY = 5;

/** Where an instance keeps everything. It belongs to one process for as long as that lives. */
export interface DataFolder {
  readonly dir: string;
  /** The path `<dir>/<name>`, made for the owner only, if it is missing. */
  readonly serviceDir: (name: string) => Promise<string>;
  /** Lets another process have the folder. */
  readonly close: () => Promise<void>;
}

export class DataFolderLockedError extends Error {
  override readonly name = "DataFolderLockedError";

  constructor(dir: string, pid: number | undefined) {
    const owner = pid === undefined ? "another process" : `process ${pid}`;
    super(`${dir} is in use by ${owner}; stop it first or use --data to choose another folder.`);
  }
}

/** The path cannot be the data folder: something else is there, or it may not be written to. */
export class DataFolderError extends Error {
  override readonly name = "DataFolderError";

  constructor(dir: string, reason: string) {
    super(`${dir} cannot be the data folder: ${reason}. Choose a folder that you may write to.`);
  }
}

/**
 * @throws {DataFolderError} when there can be no folder
 * @throws {DataFolderLockedError} when a living process has the folder
 * @throws {NewerStoreError} when a newer Atoll has laid it out
 */
export async function openDataFolder(dir: string): Promise<DataFolder> {
  await makeFolder(dir);
  const lock = await takeLock(dir);
  try {
    await checkVersion(dir);
    await writeFile(join(dir, PID_FILE), `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    lock.close();
    throw error;
  }
  return {
    dir,
    serviceDir: (name) => makeServiceDir(dir, name),
    close: async () => {
      if (!lock.isOpen) return;
      await rm(join(dir, PID_FILE), { force: true });
      lock.close();
    },
  };
}

/** Folder by folder: Node's own way to make several never ends where one cannot be made. */
async function makeFolder(dir: string): Promise<void> {
  const missing: string[] = [];
  let there = resolve(dir);
  while ((await kindOf(there)) === "nothing") {
    missing.push(there);
    there = dirname(there);
  }
  if ((await kindOf(there)) !== "folder") {
    throw new DataFolderError(dir, `${there} is a file`);
  }
  for (const folder of missing.toReversed()) {
    await mkdir(folder, { mode: OWNER_ONLY }).catch((error: unknown) => {
      const code = codeOf(error);
      if (code !== "EEXIST") throw new DataFolderError(dir, `${folder} cannot be made (${code})`);
    });
  }
  await access(dir, constants.W_OK | constants.X_OK).catch((error: unknown) => {
    throw new DataFolderError(dir, `it may not be written to (${codeOf(error)})`);
  });
}

async function kindOf(path: string): Promise<"file" | "folder" | "nothing"> {
  try {
    return (await stat(path)).isDirectory() ? "folder" : "file";
  } catch (error) {
    // Below a file there is nothing either; the file itself is found on the way up.
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return "nothing";
    throw new DataFolderError(path, `it cannot be looked at (${codeOf(error)})`);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

/**
 * SQLite locks a file by the means of the system, which releases it when the process ends, however
 * it ends. The file stays empty. Nothing else may open it: on POSIX systems the lock is lost when
 * any handle on the file is closed.
 */
async function takeLock(dir: string): Promise<DatabaseSync> {
  const lock = new DatabaseSync(join(dir, LOCK_FILE));
  try {
    lock.exec("begin exclusive");
    return lock;
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new DataFolderLockedError(dir, await livingOwner(dir));
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}

/** The process that wrote its id into the folder, unless it has died since. */
async function livingOwner(dir: string): Promise<number | undefined> {
  const pid = Number(await textOf(join(dir, PID_FILE)));
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  try {
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    const alive = error instanceof Error && "code" in error && error.code === "EPERM";
    return alive ? pid : undefined;
  }
}

async function checkVersion(dir: string): Promise<void> {
  const text = await textOf(join(dir, VERSION_FILE));
  if (text === undefined) return writeVersion(dir);
  const version = Number(text);
  if (version > FORMAT) throw new NewerStoreError(dir, version, FORMAT);
  if (version !== FORMAT) {
    throw new Error(
      `${join(dir, VERSION_FILE)} must hold the number ${FORMAT}, but holds ` +
        `${JSON.stringify(text.slice(0, 40).trim())}. Restore it, or use --data.`,
    );
  }
  return undefined;
}

/** Renaming puts the whole file in place at once: a crash never leaves half of it. */
async function writeVersion(dir: string): Promise<void> {
  const draft = join(dir, `${VERSION_FILE}.draft`);
  const file = await open(draft, "w", 0o600);
  try {
    await file.writeFile(`${FORMAT}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, join(dir, VERSION_FILE));
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function makeServiceDir(dir: string, name: string): Promise<string> {
  if (!SERVICE_NAME.test(name)) {
    throw new TypeError(`The service name ${JSON.stringify(name)} must match ${SERVICE_NAME}.`);
  }
  const path = join(dir, name);
  await mkdir(path, { recursive: true, mode: OWNER_ONLY });
  return path;
}
