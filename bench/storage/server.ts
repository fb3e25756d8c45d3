import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openConnection } from "../support/connection.ts";
import { cpuOf, memoryOf, type Memory } from "../support/process-use.ts";
import type { Account } from "../support/shared-key.ts";
import { spawnNode, type Spawned } from "../support/spawned.ts";

const START_LIMIT_MS = 60_000;
const POLL_MS = 5;
const QUIET_LIMIT_MS = 10_000;
const QUIET_WINDOW_MS = 500;
/** Two hundredths of a second within the window: timers and no work. */
const QUIET_CPU_S = 0.02;

/** How to start one of the servers to compare. */
export interface ServerKind {
  readonly name: "Atoll" | "Azurite" | "bare node:http";
  /** Arguments for `node`; the server keeps its state in `folder` and blobs on `port`. */
  readonly args: (folder: string, port: number) => readonly string[];
  /** Known once the server answers. */
  readonly account: (spawned: Spawned) => Promise<Account>;
}

export interface RunningServer {
  readonly name: ServerKind["name"];
  readonly pid: number;
  readonly origin: string;
  readonly account: Account;
  /** From the start of the process to its first answer below 500. */
  readonly startMs: number;
  readonly idle: Memory;
  /** Takes the server off the processor while another one is measured, and puts it back. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly stop: () => Promise<void>;
}

/** Starts a server on an empty folder below `parent`, which `stop` removes. */
export async function startServer(
  kind: ServerKind,
  parent: string,
  port: number,
): Promise<RunningServer> {
  const folder = await mkdtemp(join(parent, "server-"));
  const startedAt = performance.now();
  const spawned = spawnNode(kind.args(folder, port));
  const origin = `http://127.0.0.1:${port}`;
  async function stop(): Promise<void> {
    await spawned.stop();
    await rm(folder, { recursive: true, force: true });
  }
  try {
    await firstAnswer(spawned, origin);
    const startMs = performance.now() - startedAt;
    const account = await kind.account(spawned);
    await becomeQuiet(spawned.pid);
    const idle = await memoryOf(spawned.pid);
    const pause = () => void process.kill(spawned.pid, "SIGSTOP");
    const resume = () => void process.kill(spawned.pid, "SIGCONT");
    const { name } = kind;
    return { name, pid: spawned.pid, origin, account, startMs, idle, pause, resume, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function firstAnswer(spawned: Spawned, origin: string): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  const connection = openConnection(origin);
  try {
    while (!(await answers())) {
      if (spawned.hasEnded() || performance.now() > deadline) {
        throw new Error(`The server at ${origin} does not answer:\n${spawned.output()}`);
      }
      await wait(POLL_MS);
    }
  } finally {
    connection.close();
  }

  async function answers(): Promise<boolean> {
    const request = { method: "GET", path: "/", headers: {} } as const;
    return connection.send(request).then(
      ({ status }) => status < 500,
      () => false,
    );
  }
}

/** Waits until start-up work (compiling, collecting garbage) is over, for ten seconds at most. */
async function becomeQuiet(pid: number): Promise<void> {
  const deadline = performance.now() + QUIET_LIMIT_MS;
  while (performance.now() < deadline) {
    const before = await cpuOf(pid);
    await wait(QUIET_WINDOW_MS);
    if ((await cpuOf(pid)) - before <= QUIET_CPU_S) return;
  }
}
