import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const SUFFIX = ".json";

/** What is known on disk of a running child, so that the next start finds it. */
export interface ProcessRecord {
  readonly name: string;
  readonly pid: number;
  /** As `startOf` gives it. */
  readonly startedAt: string;
  /** The program alone: arguments may hold secrets. */
  readonly command: string;
}

/** A name becomes a file name: letters, digits, dot, dash, underscore; 100 at most. */
export function isProcessName(name: string): boolean {
  return NAME.test(name);
}

/**
 * Written at once, in the turn of the event loop in which the child was started: were this
 * process killed in between, nobody would find the child. It need not outlive a power cut.
 */
export function writeRecord(runDir: string, record: ProcessRecord): void {
  mkdirSync(runDir, { recursive: true, mode: 0o700 });
  const path = pathOf(runDir, record.name);
  writeFileSync(`${path}.tmp`, JSON.stringify(record), { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
}

/** Removes the record of this process: by now another one may have its name. */
export function removeRecord(
  runDir: string,
  { name, pid }: Pick<ProcessRecord, "name" | "pid">,
): void {
  if (readRecord(runDir, name)?.pid === pid) rmSync(pathOf(runDir, name), { force: true });
}

export function dropRecord(runDir: string, name: string): void {
  rmSync(pathOf(runDir, name), { force: true });
}

export function readRecord(runDir: string, name: string): ProcessRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(pathOf(runDir, name), "utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The names of all records, of damaged ones too. */
export function recordNames(runDir: string): string[] {
  try {
    const files = readdirSync(runDir).filter((file) => file.endsWith(SUFFIX));
    return files.map((file) => file.slice(0, -SUFFIX.length)).filter(isProcessName);
  } catch {
    return [];
  }
}

function pathOf(runDir: string, name: string): string {
  return join(runDir, `${name}${SUFFIX}`);
}

function isRecord(value: unknown): value is ProcessRecord {
  if (typeof value !== "object" || value === null) return false;
  if (!("pid" in value && "startedAt" in value && "name" in value && "command" in value)) {
    return false;
  }
  const { pid } = value;
  // Signals to group 0 or 1 would reach this process or all others.
  return typeof pid === "number" && Number.isSafeInteger(pid) && pid > 1;
}
