import { access, constants, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { CheckContext, Finding } from "./finding.ts";

/** The folder can be written, or made. */
export async function checkDataFolder({ data }: CheckContext): Promise<Finding> {
  const existing = await nearestFolder(data);
  const what = { name: "data folder", neededFor: "all state" };
  const entry = await stat(existing);
  if (!entry.isDirectory()) {
    const remedy = `${existing} is a file. Remove it, or choose another folder with --data.`;
    return { ...what, state: "missing", detail: `${data}, not a folder`, remedy };
  }
  try {
    await access(existing, constants.W_OK | constants.X_OK);
  } catch {
    const remedy = `Let this user write to ${existing}, or choose another folder with --data.`;
    return { ...what, state: "missing", detail: `${existing} is not writable`, remedy };
  }
  const detail = existing === data ? data : `${data} (made at the first start)`;
  return { ...what, state: "ok", detail };
}

/** The folder itself, or the nearest one above it that exists. */
export async function nearestFolder(path: string): Promise<string> {
  try {
    await access(path);
    return path;
  } catch {
    const parent = dirname(path);
    return parent === path ? path : nearestFolder(parent);
  }
}
