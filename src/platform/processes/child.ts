import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { endGroup, signalGroup, type Ending } from "./group.ts";
import { startOf } from "./identity.ts";
import { openOutput, type Output } from "./output.ts";
import { ProcessError } from "./process-error.ts";
import { untilReady, type Readiness } from "./readiness.ts";
import { isProcessName, readRecord, removeRecord, writeRecord } from "./record.ts";

const GRACE_MS = 10_000;
/** For the rest of a group whose first process ended by itself. */
const LEFTOVER_GRACE_MS = 2000;
/** A process that left the group may keep the pipes of one that has ended open for ever. */
const DRAIN_MS = 500;

export interface ChildOptions extends Readiness {
  /** Names the child's record and its errors; one child of a name runs at a time. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All variables that the child gets: it inherits none. */
  readonly env: Readonly<Record<string, string>>;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
  /** Receives everything that the child writes; set aside as `.1` when it grows too large. */
  readonly logFile?: string | undefined;
  /** Where running children are recorded for `recoverOrphans`. */
  readonly runDir: string;
}

export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child {
  readonly pid: number;
  /** Resolves when the child and all of its group have ended; never rejects. */
  readonly exited: Promise<ChildExit>;
  /** The last lines that the child wrote, 50 at most. */
  readonly tail: () => string[];
  /** Signals the group (SIGTERM), kills what is left after `graceMs` (10 s). */
  readonly stop: (how?: Partial<Ending>) => Promise<ChildExit>;
}

/**
 * Starts a child in a process group of its own and resolves when it is ready. Throws a
 * `ProcessError` with the child's last lines when it ends or takes too long before that, or the
 * reason of the signal; nothing of the child is left running then.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  options.signal?.throwIfAborted();
  assertNameIsFree(options);
  const output = openOutput(options.logFile);
  const launched = await launch(options).catch((error: unknown) => {
    output.close();
    throw error;
  });
  const child = supervise(launched, output, options);
  try {
    await untilReady(options, output, child.exited);
    return child;
  } catch (error) {
    await child.stop({ signal: "SIGKILL" });
    throw error;
  }
}

function assertNameIsFree({ name, runDir }: ChildOptions): void {
  if (!isProcessName(name)) throw new ProcessError(`"${name}" cannot name a process.`);
  const record = readRecord(runDir, name);
  if (record !== undefined && startOf(record.pid) === record.startedAt) {
    throw new ProcessError(`${name} runs already, as process ${record.pid}.`);
  }
}

interface Launched {
  readonly pid: number;
  readonly started: ChildProcessByStdio<null, Readable, Readable>;
}

async function launch(options: ChildOptions): Promise<Launched> {
  const { name, command, args, cwd, env, uid, gid, runDir } = options;
  const started = spawn(command, args, {
    cwd,
    env,
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
    detached: true,
    windowsHide: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { pid } = started;
  if (pid === undefined) {
    const [cause]: unknown[] = await once(started, "error");
    const why = cause instanceof Error ? cause.message : "";
    throw new ProcessError(`${name} could not be started in ${cwd}: ${why}.`, [], { cause });
  }
  try {
    const startedAt = startOf(pid);
    if (startedAt !== undefined) writeRecord(runDir, { name, pid, startedAt, command });
  } catch (error) {
    signalGroup(pid, "SIGKILL");
    throw error;
  }
  return { pid, started };
}

function supervise({ pid, started }: Launched, output: Output, options: ChildOptions): Child {
  let isOver = false;
  let leftovers: Ending = { signal: "SIGTERM", graceMs: LEFTOVER_GRACE_MS };
  output.follow(started.stdout);
  output.follow(started.stderr);
  const closed = new AbortController();
  started.once("close", () => closed.abort());
  const exited = new Promise<ChildExit>((resolve) => {
    started.once("exit", (code, signal) => {
      const end = () => resolve({ code, signal });
      void settle().then(end, end);
    });
  });
  return { pid, exited, tail: output.tail, stop };

  async function settle(): Promise<void> {
    await endGroup(pid, leftovers);
    isOver = true;
    removeRecord(options.runDir, { name: options.name, pid });
    // Ends early, with the abort, as soon as the pipes are read to their end.
    await wait(DRAIN_MS, undefined, { signal: closed.signal }).catch(() => undefined);
    started.stdout.destroy();
    started.stderr.destroy();
    output.close();
  }

  async function stop({ signal = "SIGTERM", graceMs = GRACE_MS }: Partial<Ending> = {}) {
    // Its group id may belong to others as soon as all of the group have ended.
    if (isOver) return exited;
    leftovers = { signal: 0, graceMs };
    signalGroup(pid, signal);
    const timer = setTimeout(() => isOver || signalGroup(pid, "SIGKILL"), graceMs);
    try {
      return await exited;
    } finally {
      clearTimeout(timer);
    }
  }
}
