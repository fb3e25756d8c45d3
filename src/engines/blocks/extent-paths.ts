import { mkdir, readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { syncFolder } from "#platform/durable-file.ts";

const EXTENT_NAME = /^(?<number>\d{8,})\.extent$/;

export function extentPath(dir: string, extent: number): string {
  return join(dir, `${String(extent).padStart(8, "0")}.extent`);
}

/** The numbers of all extents in a folder. */
export async function listExtents(dir: string): Promise<readonly number[]> {
  const names = await readdir(dir);
  return names.flatMap((name) => {
    const number = EXTENT_NAME.exec(name)?.groups?.["number"];
    return number === undefined ? [] : [Number(number)];
  });
}

/** The extent with the highest number and its size in bytes, or undefined in an empty folder. */
export async function findLastExtent(
  dir: string,
): Promise<{ readonly number: number; readonly size: number } | undefined> {
  const number = (await listExtents(dir)).reduce((highest, other) => Math.max(highest, other), 0);
  if (number === 0) return undefined;
  return { number, size: (await stat(extentPath(dir, number))).size };
}

/** Makes a folder, with those above it, unless it is there. The names in it are on disk then. */
export async function makeDirectory(dir: string): Promise<void> {
  const first = await mkdir(dir, { recursive: true });
  // A process that was killed may have left a file whose name it had not synced yet.
  await syncFolder(dir);
  if (first === undefined) return;
  const above = dirname(resolve(first));
  for (let made = resolve(dir); made !== above; made = dirname(made)) {
    await syncFolder(dirname(made));
  }
}
