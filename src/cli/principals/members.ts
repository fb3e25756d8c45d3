import type { Command } from "commander";
import { defineClient, defineGroup } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { callPrincipals, findPrincipal } from "./principals-api.ts";
import { withSession } from "./session.ts";

const WAYS = [
  { verb: "add", method: "PUT", summary: "put a principal into a group", done: "Added to" },
  { verb: "remove", method: "DELETE", summary: "take it out again", done: "Removed from" },
] as const;

/** `atoll principals members add|remove`. */
export function addMembers(parent: Command, terminal: Terminal): void {
  const group = defineGroup(parent, {
    usage: "members",
    summary: "who is in a group",
    examples: [["npx atoll principals members add readers jane", "jane has the group's roles"]],
  });
  for (const { verb, method, summary, done } of WAYS) {
    const command = defineClient(group, {
      usage: `${verb} <group> <member>`,
      summary,
      examples: [[`npx atoll principals members ${verb} readers jane`, "names or ids"]],
    });
    command.action((groupName: string, memberName: string) =>
      withSession(command, terminal, async ({ api, show }) => {
        const target = await findPrincipal(api, groupName);
        const member = await findPrincipal(api, memberName);
        await callPrincipals(api, method, `/${target.id}/members/${member.id}`);
        show({ group: target.id, member: member.id }, `${done} ${target.name}.`);
      }),
    );
  }
}
