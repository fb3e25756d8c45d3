import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { startAtollProcess } from "../test/support/atoll-process.ts";
import { machineKind, measureUse, memoryOf } from "./support/process-use.ts";

const STARTS = 7;
const IDLE_S = 10;
const MEBIBYTE = 2 ** 20;

/** Seconds from the command to `ready` (first and later starts), and what idling costs. */
export async function bench(): Promise<void> {
  console.log(machineKind());
  const first = await starts(() => startOn("--ephemeral"));
  await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-start-"));
  const data = ["--data", folder.path, "--ephemeral=false"];
  const later = await starts(() => startOn(...data));
  console.log(`first start to ready   ${median(first).toFixed(2)} s (median of ${STARTS})`);
  console.log(`later start to ready   ${median(later).toFixed(2)} s (median of ${STARTS})`);
  await idle();
}

async function starts(start: () => Promise<number>): Promise<number[]> {
  const seconds: number[] = [];
  while (seconds.length < STARTS) seconds.push(await start());
  return seconds;
}

async function startOn(...flags: string[]): Promise<number> {
  const startedAt = performance.now();
  const atoll = await startAtollProcess(...flags);
  const seconds = (performance.now() - startedAt) / 1000;
  await atoll.stop();
  return seconds;
}

async function idle(): Promise<void> {
  const atoll = await startAtollProcess();
  const { pid } = atoll.endpoints;
  const end = await measureUse(pid);
  await setTimeout(IDLE_S * 1000);
  const { serverCpuS, seconds } = await end();
  const { residentBytes } = await memoryOf(pid);
  await atoll.stop();
  console.log(`idle memory            ${(residentBytes / MEBIBYTE).toFixed(0)} MiB`);
  console.log(`idle CPU               ${((serverCpuS / seconds) * 100).toFixed(2)} % of a core`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
