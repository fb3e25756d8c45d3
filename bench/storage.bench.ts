import { compare, type Comparison, type Plan } from "./storage/compare.ts";
import { installAzurite, SOURCE_HOST } from "./storage/kinds.ts";
import { phases, sourceContent } from "./storage/phases.ts";
import { formatGrowth, measureGrowth } from "./storage/growth.ts";
import { formatReport } from "./storage/report.ts";
import { startSource } from "./storage/source-server.ts";
import { machineKind } from "./support/process-use.ts";
import { resultsFolder, writeResults } from "./support/results.ts";

const FULL = { rounds: 5, duration: { warmUpMs: 1000, measureMs: 3000 } };
const GROWTH = "50,000 blocks";
const QUICK = { rounds: 1, duration: { warmUpMs: 300, measureMs: 1000 } };

/**
 * Atoll beside Azurite: the same signed requests from the same client, in turn. `--quick` makes
 * one short round; `--phase TEXT` runs the phases whose names contain the text; "50,000 blocks"
 * is one of them. `--busy` is for a machine that is never quiet: no round is repeated, and the
 * report says what others used.
 */
export async function bench(): Promise<void> {
  if (process.platform !== "linux") {
    throw new Error("This benchmark reads processor time from /proc: run it on Linux.");
  }
  await installAzurite();
  const size = process.argv.includes("--quick") ? QUICK : FULL;
  const source = await startSource(sourceContent, SOURCE_HOST);
  const isBusy = process.argv.includes("--busy");
  const plan: Plan = { ...size, folder: await resultsFolder(), foreignUrl: source.url, isBusy };
  const comparisons: Comparison[] = [];
  try {
    for (const phase of chosenPhases()) {
      console.error(`${phase.name} ...`);
      comparisons.push(await compare(phase, plan));
    }
  } finally {
    await source.close();
  }
  const growth = isWanted(GROWTH) ? await measureGrowth(plan.folder) : [];
  const parts = [
    machineKind(),
    ...(comparisons.length > 0 ? [formatReport(comparisons)] : []),
    ...(growth.length > 0 ? [formatGrowth(growth)] : []),
  ];
  console.log(parts.join("\n\n"));
  const results = { machine: machineKind(), ...size, comparisons, growth };
  const file = await writeResults("storage", results);
  console.log(`\nAll numbers: ${file}`);
}

function isWanted(name: string): boolean {
  const at = process.argv.indexOf("--phase");
  return name.includes(at < 0 ? "" : (process.argv[at + 1] ?? ""));
}

function chosenPhases() {
  const chosen = phases.filter(({ name }) => isWanted(name));
  if (chosen.length > 0 || isWanted(GROWTH)) return chosen;
  const names = [...phases.map(({ name }) => name), GROWTH].map((name) => `"${name}"`).join(", ");
  throw new Error(`No phase has such a name; there are ${names}.`);
}
