import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { findInstance } from "../instance.ts";
import type { CheckContext, Finding } from "./finding.ts";

const SQLITE_BUSY = 5;

/** Which process has the data folder. A running Atoll has its own; that is no fault. */
export async function checkLock({ data }: CheckContext): Promise<Finding> {
  const what = { name: "data folder's lock", neededFor: "up" };
  if (!(await isLocked(join(data, "lock")))) return { ...what, state: "ok", detail: "free" };
  const owner = (await readFile(join(data, "pid"), "utf8").catch(() => "unknown")).trim();
  const instance = await findInstance(data);
  if (instance?.state === "running" && String(instance.endpoints.pid) === owner) {
    return { ...what, state: "ok", detail: `held by the running Atoll, process ${owner}` };
  }
  return {
    ...what,
    state: "missing",
    detail: `held by process ${owner}`,
    remedy: `Stop process ${owner}, wait until it has stopped, or use another folder with --data.`,
  };
}

/** Whoever owns the folder keeps an exclusive lock on this file; to read is to find out. */
async function isLocked(file: string): Promise<boolean> {
  try {
    await access(file);
  } catch {
    return false;
  }
  const lock = new DatabaseSync(file, { readOnly: true });
  try {
    lock.prepare("select count(*) from sqlite_master").get();
    return false;
  } catch (error) {
    if (error instanceof Error && "errcode" in error) return error.errcode === SQLITE_BUSY;
    throw error;
  } finally {
    lock.close();
  }
}
