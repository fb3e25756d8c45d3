import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

const HAS_PROC = existsSync("/proc/self/stat");
/** Where `stat` of proc(5) goes on after the command's name, which may hold anything. */
const AFTER_NAME = ") ";
/** Fields of `stat` as proc(5) numbers them, counted from the first one after the name. */
const STATE = 3 - 3;
const GROUP = 5 - 3;
const START_TIME = 22 - 3;
const PID = /^\d+$/;

/**
 * When the process of this id started, in a form that only serves to be compared: a process
 * id is given to others again, and after a reboot soon. `undefined` means that none is running.
 */
export function startOf(pid: number): string | undefined {
  if (process.platform === "win32") return undefined;
  if (!HAS_PROC) return startInPs(pid);
  const fields = livingStat(pid);
  if (fields === undefined) return undefined;
  return `${read("/proc/sys/kernel/random/boot_id")?.trim() ?? ""}/${fields[START_TIME] ?? ""}`;
}

/** Whether the group has more than zombies, which stay where nobody collects them. */
export function hasLivingMember(group: number): boolean {
  if (!HAS_PROC) return true;
  const pids = readdirSync("/proc").filter((name) => PID.test(name));
  return pids.some((pid) => livingStat(Number(pid))?.[GROUP] === String(group));
}

function livingStat(pid: number): string[] | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(AFTER_NAME) + AFTER_NAME.length).split(" ");
  const state = fields[STATE];
  return state === "Z" || state === "X" ? undefined : fields;
}

function startInPs(pid: number): string | undefined {
  try {
    const start = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
    return start.trim() || undefined;
  } catch {
    return undefined;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
