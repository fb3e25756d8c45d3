import type { Command } from "commander";
import { defineGroup } from "./command.ts";
import { addAdd } from "./principals/add.ts";
import { addChange } from "./principals/change.ts";
import { addCredentials } from "./principals/credentials.ts";
import { addMembers } from "./principals/members.ts";
import { addRead } from "./principals/read.ts";
import type { Terminal } from "./terminal.ts";

/** `atoll principals`: users, groups and service principals, and what they sign in with. */
export function addPrincipals(program: Command, terminal: Terminal): void {
  const group = defineGroup(program, {
    usage: "principals",
    summary: "users, groups and service principals, and what they sign in with",
    examples: [
      ["npx atoll principals list", "everybody"],
      ["npx atoll principals add service-principal ci", "a program, with a secret"],
      ["npx atoll principals members add readers jane", "a member of a group"],
    ],
  });
  for (const add of [addRead, addAdd, addChange, addMembers, addCredentials]) add(group, terminal);
}
