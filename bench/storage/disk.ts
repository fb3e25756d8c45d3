import { randomBytes } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { median } from "../support/statistics.ts";

const BLOCK_BYTES = 4096;
const ROUNDS = 5;
const ROUND_MS = 500;

/**
 * 4 KiB blocks per second that the disk takes when `together` of them share one write and one
 * fdatasync: the median of five rounds, at the end of a file that grows.
 */
export async function groupCommitRate(folder: string, together: number): Promise<number> {
  const path = join(folder, `group-commit-${process.pid}.bin`);
  const file = await open(path, "wx");
  try {
    const blocks = Array.from({ length: together }, () => randomBytes(BLOCK_BYTES));
    const rates: number[] = [];
    let end = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const startedAt = performance.now();
      let written = 0;
      while (performance.now() < startedAt + ROUND_MS) {
        await file.writev(blocks, end);
        await file.datasync();
        end += together * BLOCK_BYTES;
        written += together;
      }
      rates.push((written * 1000) / (performance.now() - startedAt));
    }
    return median(rates);
  } finally {
    await file.close();
    await rm(path);
  }
}
