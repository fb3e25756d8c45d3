import { ConfigurationError, loadSettings } from "#platform/config/load.ts";
import type { Settings } from "#platform/config/settings.ts";
import type { Endpoints } from "#platform/house/endpoints.ts";
import { collectStartUpGarbage } from "#platform/house/start-up-garbage.ts";
import { isLocalOnly } from "#platform/house/listeners.ts";
import { StartError } from "#platform/house/start-error.ts";
import { DataFolderError, DataFolderLockedError } from "#platform/store/data-folder.ts";
import { NewerStoreError } from "#platform/store/migrations.ts";
import { startAtoll, type Atoll } from "../main.ts";
import { CliError } from "./errors.ts";

export interface UpOptions {
  /** Settings by their names in `atoll.yaml`, as text. */
  readonly flags: Readonly<Record<string, string>>;
  readonly file: string | undefined;
  readonly isJson: boolean;
}

/** Errors whose sentence is for the user; anything else is a bug and keeps its stack. */
const FOR_THE_USER = [
  ConfigurationError,
  DataFolderError,
  DataFolderLockedError,
  NewerStoreError,
  StartError,
];

/** `atoll up`: runs until SIGINT or SIGTERM, then finishes what is in flight and stops. */
export async function up({ flags, file, isJson }: UpOptions): Promise<void> {
  const startedAt = performance.now();
  let atoll: Atoll;
  let settings: Settings;
  try {
    settings = await loadSettings({ flags, file, variables: process.env });
    atoll = await startAtoll(settings);
    collectStartUpGarbage();
  } catch (error) {
    if (!FOR_THE_USER.some((kind) => error instanceof kind)) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new CliError(message, "npx atoll up --help shows every setting.");
  }
  stopOnSignal(atoll);
  if (isJson) console.log(JSON.stringify(atoll.endpoints));
  else await print(atoll.endpoints, settings);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (!isJson) console.log(`ready in ${seconds} s: ${atoll.services.join(", ")}`);
}

async function print(endpoints: Endpoints, settings: Settings): Promise<void> {
  const isLocal = isLocalOnly(settings);
  const fetched = ["public addresses", ...(isLocal ? ["this machine"] : [])];
  const rows = [
    ["gateway", endpoints.gateway],
    ["sign-in page", `${endpoints.gateway}/login`],
    ["blob storage", endpoints.account_url],
    ["query engine", endpoints.cluster_uri],
    ["ingestion", endpoints.ingestion_uri],
    ["data", endpoints.data],
    ["credentials", "npx atoll env"],
    ["fetches from", [...fetched, ...settings.outbound_allowed_hosts].join(", ")],
  ] as const;
  for (const [name, value] of rows) console.log(`  ${name.padEnd(14)} ${value}`);
  if (!isLocal && !settings.tls) {
    console.log("  Others can reach this, and read passwords and tokens on the way: use --tls.");
  }
  if (endpoints.ca_file !== undefined) await printTrust(endpoints.ca_file);
}

async function printTrust(caFile: string): Promise<void> {
  const { trustInstructions } = await import("#platform/tls/trust.ts");
  console.log("\nTo trust the certificates of this machine's own authority:");
  for (const line of trustInstructions(caFile)) console.log(`  ${line}`);
}

/** The first signal stops cleanly; a second one, from somebody impatient, at once. */
function stopOnSignal(atoll: Atoll): void {
  let isStopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      atoll.stop().then(
        () => {
          console.error("stopped");
          process.exit(0);
        },
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}
