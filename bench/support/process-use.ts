import { readFile } from "node:fs/promises";
import { cpus } from "node:os";

const TICKS_PER_S = 100;
const BYTES_PER_KIB = 1024;

/** Where the fields of /proc/<pid>/stat are, counted after the name in brackets. */
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** Columns of /proc/stat in which the machine does nothing: idle, and waiting for a disk. */
const IDLE_COLUMNS = new Set([3, 4]);
/** user, nice, system, idle, iowait, irq, softirq, steal; guests are counted within user. */
const COLUMNS = 8;

/** CPU time of a process since it started, in seconds (to a hundredth). */
export async function cpuOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) / TICKS_PER_S;
}

/** CPU time that the whole machine has used since it started, in seconds. */
async function cpuOfMachine(): Promise<number> {
  const [line = ""] = (await readFile("/proc/stat", "utf8")).split("\n", 1);
  const columns = line
    .trim()
    .split(/\s+/)
    .slice(1, 1 + COLUMNS);
  const busy = columns.filter((_, index) => !IDLE_COLUMNS.has(index));
  return busy.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_S;
}

export interface Memory {
  readonly residentBytes: number;
  readonly peakBytes: number;
}

export async function memoryOf(pid: number): Promise<Memory> {
  const text = await readFile(`/proc/${pid}/status`, "utf8");
  const field = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1]) * BYTES_PER_KIB;
  return { residentBytes: field("VmRSS"), peakBytes: field("VmHWM") };
}

/** What was used between two moments. */
export interface Use {
  readonly seconds: number;
  /** CPU seconds of the server, of this process, and of everything else on the machine. */
  readonly serverCpuS: number;
  readonly clientCpuS: number;
  readonly othersCpuS: number;
}

/** Starts to measure; the function it returns ends the measurement. */
export async function measureUse(serverPid: number): Promise<() => Promise<Use>> {
  const machine = await cpuOfMachine();
  const server = await cpuOf(serverPid);
  const client = process.cpuUsage();
  const startedAt = performance.now();
  return async () => {
    const seconds = (performance.now() - startedAt) / 1000;
    const { user, system } = process.cpuUsage(client);
    const clientCpuS = (user + system) / 1_000_000;
    const serverCpuS = (await cpuOf(serverPid)) - server;
    const othersCpuS = Math.max(0, (await cpuOfMachine()) - machine - serverCpuS - clientCpuS);
    return { seconds, serverCpuS, clientCpuS, othersCpuS };
  };
}

export function machineKind(): string {
  const model = cpus()[0]?.model ?? "unknown processor";
  return `${cpus().length} cores (${model}), Node ${process.versions.node}, ${process.platform}`;
}
