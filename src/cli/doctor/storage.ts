import { join } from "node:path";
import type { Command } from "commander";
import type { Damage, Verified } from "#services/storage/verify.ts";
import { defineClient, type ClientOptions } from "../command.ts";
import { CliError } from "../errors.ts";
import { dataFolder } from "../instance.ts";
import { withProgress } from "../progress.ts";
import { formatTable } from "../table.ts";
import type { Terminal } from "../terminal.ts";

/** Damaged runs that are listed; all of them are counted. */
const LISTED_MAX = 1000;

interface Report extends Verified {
  readonly damages: number;
  readonly damaged: readonly Damage[];
}

/** `atoll doctor storage --verify`: whether the bytes of all blobs are those that were stored. */
export function addStorageDoctor(doctor: Command, terminal: Terminal): void {
  const command = defineClient(doctor, {
    usage: "storage",
    summary: "whether the bytes of all blobs are those that were stored; Atoll must be stopped",
    examples: [["npx atoll doctor storage --verify", "exit code 1 if a blob is damaged"]],
  });
  command.requiredOption("--verify", "read every byte and compare checksums");
  command.action(async () => {
    // The group above has the same options, and takes them from wherever they stand.
    const { output, data } = command.optsWithGlobals<ClientOptions>();
    const folder = await dataFolder(data, terminal.variables);
    const report = await withProgress(terminal, "Reading all blobs", () =>
      verify(folder, terminal),
    );
    if (output === "json") terminal.print(JSON.stringify(report));
    else printReport(report, terminal);
    if (report.damages === 0) return;
    throw new CliError(
      report.damages === 1
        ? "1 run of bytes is damaged."
        : `${report.damages} runs of bytes are damaged.`,
      "Restore the blobs above from a copy, or delete them; all others are sound.",
    );
  });
}

async function verify(dir: string, { variables }: Terminal): Promise<Report> {
  const { loadSettings } = await import("#platform/config/load.ts");
  const { locationOf } = await import("#platform/house/house.ts");
  const { hasStorage, verifyStorage } = await import("#services/storage/verify.ts");
  const settings = await loadSettings({ flags: { data: dir }, file: undefined, variables });
  const location = locationOf("storage", settings, { dir });
  if (!(await hasStorage(location))) {
    throw new CliError(
      `There are no blobs in the data folder ${dir}.`,
      "Name the folder with --data.",
    );
  }
  const lock = await takeFolder(dir);
  const damaged: Damage[] = [];
  let damages = 0;
  const found = (damage: Damage) => {
    damages += 1;
    if (damaged.length < LISTED_MAX) damaged.push(damage);
  };
  try {
    const verified = await verifyStorage({ location, dir: join(dir, "storage"), found });
    return { ...verified, damages, damaged };
  } finally {
    await lock.close();
  }
}

/** While the folder is read nobody may write to it. */
async function takeFolder(dir: string) {
  const { DataFolderLockedError, openDataFolder } = await import("#platform/store/data-folder.ts");
  try {
    return await openDataFolder(dir);
  } catch (error) {
    if (!(error instanceof DataFolderLockedError)) throw error;
    throw new CliError(error.message, "Blobs are verified while Atoll is stopped.");
  }
}

function printReport({ records, bytes, damaged }: Report, terminal: Terminal): void {
  if (damaged.length > 0) {
    const rows = damaged.map((damage) => [
      `${damage.account}/${damage.container}/${damage.blob}`,
      damage.snapshot,
      `${damage.start}-${damage.start + damage.length - 1}`,
      damage.reason,
    ]);
    terminal.print(formatTable(rows, ["blob", "snapshot", "bytes", "damage"]));
  }
  terminal.print(`Verified ${records} runs of ${bytes} bytes.`);
}
