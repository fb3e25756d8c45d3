import type { Finding } from "./finding.ts";

/** DuckDB, whose binary comes per platform and may have been left out. */
export async function checkDuckDb(): Promise<Finding> {
  const what = { name: "DuckDB", neededFor: "queries" };
  try {
    const { version } = await import("@duckdb/node-api");
    return { ...what, state: "ok", detail: version() };
  } catch (error) {
    const detail = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return { ...what, state: "missing", detail, remedy: "Run npm ci here." };
  }
}
