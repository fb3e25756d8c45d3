import type { Command } from "commander";
import { defineGroup } from "./command.ts";
import { addAccounts } from "./storage/accounts.ts";
import { addScopes } from "./storage/scopes.ts";
import type { Terminal } from "./terminal.ts";

/** `atoll storage`: what is managed of the blob service beside its blobs. */
export function addStorage(program: Command, terminal: Terminal): void {
  const group = defineGroup(program, {
    usage: "storage",
    summary: "storage accounts, their keys and encryption scopes",
    examples: [
      ["npx atoll storage accounts list", "all accounts"],
      ["npx atoll storage scopes list devstoreaccount1", "encryption scopes of one"],
    ],
  });
  addAccounts(group, terminal);
  addScopes(group, terminal);
}
