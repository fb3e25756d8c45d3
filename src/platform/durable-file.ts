import { randomUUID } from "node:crypto";
import { link, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

export interface DurableFile {
  readonly path: string;
  readonly content: Uint8Array | string;
  /** Permission bits, such as 0o600. */
  readonly mode: number;
}

/** Puts the file in place of what was there: after a crash it is the old one or the new one. */
export async function replaceFile(file: DurableFile): Promise<void> {
  await place(file, (written) => rename(written, file.path));
}

/**
 * Creates the file unless there is one, and says whether it did. Of several processes that
 * try at the same time exactly one succeeds, and no one ever reads half a file.
 */
export async function createFile(file: DurableFile): Promise<boolean> {
  try {
    // A rename would replace what another process has just created; a second link cannot.
    await place(file, (written) => link(written, file.path));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function place(file: DurableFile, into: (written: string) => Promise<void>): Promise<void> {
  const written = `${file.path}.${randomUUID()}.tmp`;
  try {
    const handle = await open(written, "wx", file.mode);
    try {
      await handle.writeFile(file.content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await into(written);
  } finally {
    await rm(written, { force: true });
  }
  await syncFolder(dirname(file.path));
}

/** A new name is durable once its folder is; Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
