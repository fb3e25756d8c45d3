import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Account } from "../support/shared-key.ts";
import type { ServerKind } from "./server.ts";

const ROOT = join(import.meta.dirname, "../..");
const BARE_SERVER = new URL("./bare-server.ts", import.meta.url);
/** A package of its own, so that nobody who uses Atoll has to install what it is compared with. */
const AZURITE_PACKAGE = join(ROOT, "bench/azurite");
const AZURITE = join(AZURITE_PACKAGE, "node_modules/azurite/dist/src/blob/main.js");

/** The account that Azurite documents for development; it holds nothing that is secret. */
const DEVELOPMENT_ACCOUNT: Account = {
  name: "devstoreaccount1",
  key: "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
};

/** The host that a foreign source of the benchmark has; it has to be allowed by name. */
export const SOURCE_HOST = "127.0.0.1";

export const atoll: ServerKind = {
  name: "Atoll",
  args: (folder, port) => [
    join(ROOT, "bin/atoll.js"),
    "up",
    "--data",
    folder,
    "--output",
    "json",
    "--only",
    "storage",
    "--outbound-allowed-hosts",
    SOURCE_HOST,
    "--port",
    "0",
    "--query-port",
    "0",
    "--ingest-port",
    "0",
    "--blob-port",
    String(port),
  ],
  async account(spawned) {
    const { credentials } = JSON.parse(await spawned.firstLine) as {
      credentials: { storage_account: string; storage_key: string };
    };
    return { name: credentials.storage_account, key: credentials.storage_key };
  },
};

/** Without its access log and its telemetry, as fast as it goes while it keeps data on disk. */
export const azurite: ServerKind = {
  name: "Azurite",
  args: (folder, port) => [
    AZURITE,
    "--silent",
    "--disableTelemetry",
    "--location",
    folder,
    "--blobPort",
    String(port),
  ],
  account: () => Promise.resolve(DEVELOPMENT_ACCOUNT),
};

/** What HTTP alone costs: reads each body to its end, drops it and answers 201. */
export const bare: ServerKind = {
  name: "bare node:http",
  args: (_, port) => [fileURLToPath(BARE_SERVER), String(port)],
  account: () => Promise.resolve(DEVELOPMENT_ACCOUNT),
};

/** Installs what Atoll is compared with, unless it is there. */
export async function installAzurite(): Promise<void> {
  if (existsSync(AZURITE)) return;
  console.log("Installing Azurite into bench/azurite (once, about 365 MB) ...");
  await promisify(execFile)("npm", ["ci"], { cwd: AZURITE_PACKAGE });
}
