import { statfs } from "node:fs/promises";
import { nearestFolder } from "./data-folder.ts";
import type { CheckContext, Finding } from "./finding.ts";

const GIB = 1024 ** 3;
/** Below this the first start and a modest amount of blobs do not fit. */
const FREE_MIN_GIB = 0.5;

export async function checkDisk({ data }: CheckContext): Promise<Finding> {
  const { bavail, bsize } = await statfs(await nearestFolder(data));
  const freeGib = (bavail * bsize) / GIB;
  const isEnough = freeGib >= FREE_MIN_GIB;
  return {
    name: "disk space",
    state: isEnough ? "ok" : "missing",
    neededFor: "all state",
    detail: `${freeGib.toFixed(1)} GiB free`,
    ...(!isEnough && {
      remedy: `Free ${FREE_MIN_GIB} GiB on this disk, or choose a folder on another with --data.`,
    }),
  };
}
