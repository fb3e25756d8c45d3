import { compare, type Comparison, type Plan } from "./storage/compare.ts";
import { installAzurite, SOURCE_HOST } from "./storage/kinds.ts";
import { phases, sourceContent } from "./storage/phases.ts";
import { formatReport } from "./storage/report.ts";
import { startSource } from "./storage/source-server.ts";
import { machineKind } from "./support/process-use.ts";
import { resultsFolder, writeResults } from "./support/results.ts";

const FULL = { rounds: 5, duration: { warmUpMs: 1000, measureMs: 3000 } };
const QUICK = { rounds: 1, duration: { warmUpMs: 300, measureMs: 1000 } };

/**
 * Atoll beside Azurite: the same signed requests from the same client, in turn. `--quick` makes
 * one short round; `--phase TEXT` runs the phases whose names contain the text.
 */
export async function bench(): Promise<void> {
  if (process.platform !== "linux") {
    throw new Error("This benchmark reads processor time from /proc: run it on Linux.");
  }
  await installAzurite();
  const size = process.argv.includes("--quick") ? QUICK : FULL;
  const source = await startSource(sourceContent, SOURCE_HOST);
  const plan: Plan = { ...size, folder: await resultsFolder(), foreignUrl: source.url };
  const comparisons: Comparison[] = [];
  try {
    for (const phase of chosenPhases()) {
      console.error(`${phase.name} ...`);
      comparisons.push(await compare(phase, plan));
    }
  } finally {
    await source.close();
  }
  console.log(`${machineKind()}\n\n${formatReport(comparisons)}`);
  const file = await writeResults("storage", { machine: machineKind(), ...size, comparisons });
  console.log(`\nAll numbers: ${file}`);
}

function chosenPhases() {
  const at = process.argv.indexOf("--phase");
  const text = at < 0 ? "" : (process.argv[at + 1] ?? "");
  const chosen = phases.filter(({ name }) => name.includes(text));
  if (chosen.length > 0) return chosen;
  const names = phases.map(({ name }) => `"${name}"`).join(", ");
  throw new Error(`No phase is named "${text}"; there are ${names}.`);
}
