const SQLITE_FULL = 13;
const POSTGRES_DISK_FULL = "53100";
const NO_SPACE: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", POSTGRES_DISK_FULL]);

/**
 * Whether a write failed for want of space, in any engine or in a file. A transaction that fails
 * so has changed nothing, and the next one may find space again.
 */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("errcode" in error) return error.errcode === SQLITE_FULL;
  return "code" in error && NO_SPACE.has(error.code);
}
