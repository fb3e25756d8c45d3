import { checkChromium } from "./chromium.ts";
import { checkDataFolder } from "./data-folder.ts";
import { checkDisk } from "./disk.ts";
import { checkDuckDb } from "./duckdb.ts";
import type { Check } from "./finding.ts";
import { checkLock } from "./lock.ts";
import { checkNode } from "./node.ts";
import { checkPorts } from "./ports.ts";
import { checkPostgres } from "./postgres.ts";

/** In the order in which they are shown. An engine adds its own file here. */
export const CHECKS: readonly Check[] = [
  checkNode,
  checkDataFolder,
  checkDisk,
  checkLock,
  checkPorts,
  checkDuckDb,
  checkPostgres,
  checkChromium,
];
