import type { Command } from "commander";
import { defineGroup } from "./command.ts";
import { addAccounts } from "./storage/accounts.ts";
import type { Terminal } from "./terminal.ts";

/** `atoll storage`: what is managed of the blob service beside its blobs. */
export function addStorage(program: Command, terminal: Terminal): void {
  const group = defineGroup(program, {
    usage: "storage",
    summary: "storage accounts and their keys",
    examples: [["npx atoll storage accounts list", "all accounts"]],
  });
  addAccounts(group, terminal);
}
