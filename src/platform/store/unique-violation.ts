const SQLITE_CONSTRAINT_UNIQUE = 2067;
const SQLITE_CONSTRAINT_PRIMARY_KEY = 1555;
const POSTGRES_UNIQUE_VIOLATION = "23505";

/** Whether a write failed because a row with the same key exists, in any engine. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("errcode" in error) {
    const { errcode } = error;
    return errcode === SQLITE_CONSTRAINT_UNIQUE || errcode === SQLITE_CONSTRAINT_PRIMARY_KEY;
  }
  return "code" in error && error.code === POSTGRES_UNIQUE_VIOLATION;
}
