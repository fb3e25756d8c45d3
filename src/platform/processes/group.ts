import { setTimeout as wait } from "node:timers/promises";
import { hasLivingMember, startOf } from "./identity.ts";

const POLL_MS = 20;
/** What is there after SIGKILL still, waits for a device and is out of reach. */
const KILL_WAIT_MS = 2000;

/** How to end a group: 0 asks nothing of it and only waits. */
export interface Ending {
  readonly signal: NodeJS.Signals | 0;
  readonly graceMs: number;
}

/** Sends the signal to every process of the group; says whether there was one. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    // Windows has no groups: there it is the process alone.
    return process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    return false;
  }
}

/**
 * Asks the processes of the group to end, kills those that are left after `graceMs`, and
 * resolves when all have ended.
 */
export async function endGroup(pid: number, { signal, graceMs }: Ending): Promise<void> {
  if (!signalGroup(pid, signal) || (await hasEnded(pid, graceMs))) return;
  if (signalGroup(pid, "SIGKILL")) await hasEnded(pid, KILL_WAIT_MS);
}

async function hasEnded(pid: number, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (isAlive(pid)) {
    if (performance.now() >= end) return false;
    await wait(POLL_MS);
  }
  return true;
}

function isAlive(pid: number): boolean {
  if (!signalGroup(pid, 0)) return false;
  return startOf(pid) !== undefined || hasLivingMember(pid);
}
