import { endGroup } from "./group.ts";
import { startOf } from "./identity.ts";
import { readRecord, recordNames, dropRecord, type ProcessRecord } from "./record.ts";

/** Enough for an engine to close its files; the start waits for it. */
const GRACE_MS = 3000;

/**
 * Ends the children that an earlier run left when it was killed, with all of their process
 * groups, and returns them. A process that merely has the same id by now is left alone.
 */
export async function recoverOrphans(runDir: string): Promise<ProcessRecord[]> {
  const orphans = await Promise.all(recordNames(runDir).map((name) => recover(runDir, name)));
  return orphans.filter((orphan) => orphan !== undefined);
}

async function recover(runDir: string, name: string): Promise<ProcessRecord | undefined> {
  const record = readRecord(runDir, name);
  const isSame = record !== undefined && startOf(record.pid) === record.startedAt;
  if (isSame) await endGroup(record.pid, { signal: "SIGTERM", graceMs: GRACE_MS });
  dropRecord(runDir, name);
  return isSame ? record : undefined;
}
