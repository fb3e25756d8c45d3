import type { Command } from "commander";
import { defineClient, type ClientOptions } from "./command.ts";
import type { Finding } from "./doctor/finding.ts";
import { addStorageDoctor } from "./doctor/storage.ts";
import { CliError } from "./errors.ts";
import { dataFolder } from "./instance.ts";
import { withProgress } from "./progress.ts";
import { formatTable } from "./table.ts";
import type { Terminal } from "./terminal.ts";

const SIGNS = { ok: "ok", optional: "absent", missing: "MISSING" } as const;

/** `atoll doctor`: what Atoll and each engine need, whether it is there, how to get it. */
export function addDoctor(program: Command, terminal: Terminal): void {
  const command = defineClient(program, {
    usage: "doctor",
    summary: "what Atoll and its engines need, and how to get what is missing",
    examples: [
      ["npx atoll doctor", "a line per need; exit code 1 if a required one is not met"],
      ["npx atoll doctor -o json", "for scripts"],
      ["npx atoll doctor storage --verify", "whether the bytes of all blobs are sound"],
    ],
  });
  addStorageDoctor(command, terminal);
  command.action(async () => {
    const { output, data } = command.opts<ClientOptions>();
    const folder = await dataFolder(data, terminal.variables);
    const findings = await withProgress(terminal, "Looking around", () =>
      examine(folder, terminal),
    );
    if (output === "json") terminal.print(JSON.stringify(findings));
    else printFindings(findings, terminal);
    const missing = findings.filter(({ state }) => state === "missing");
    if (missing.length === 0) return;
    throw new CliError(
      `Atoll cannot start: ${missing.map(({ name }) => name).join(", ")}.`,
      "The lines above say what to do.",
    );
  });
}

async function examine(data: string, { variables }: Terminal): Promise<Finding[]> {
  const { CHECKS } = await import("./doctor/checks.ts");
  const findings = await Promise.all(CHECKS.map((check) => check({ data, variables })));
  return findings.flat();
}

function printFindings(findings: readonly Finding[], terminal: Terminal): void {
  const rows = findings.map(({ name, state, neededFor, detail }) => [
    SIGNS[state],
    name,
    neededFor,
    detail,
  ]);
  terminal.print(formatTable(rows, ["state", "what", "needed for", "seen"]));
  for (const { name, remedy } of findings) {
    if (remedy !== undefined) terminal.print(`\n${name}: ${remedy}`);
  }
}
