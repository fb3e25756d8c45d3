import { Option, type Command } from "commander";
import { defineClient } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { callPrincipals, findPrincipal, KINDS, listPrincipals } from "./principals-api.ts";
import { withSession } from "./session.ts";

const COLUMNS = ["kind", "name", "id", "enabled"];

/** `atoll principals list` and `show`. */
export function addRead(group: Command, terminal: Terminal): void {
  const list = defineClient(group, {
    usage: "list",
    summary: "everybody that roles can be assigned to",
    examples: [
      ["npx atoll principals list", "all of them"],
      ["npx atoll principals list --kind user", "users only"],
    ],
  });
  list
    .addOption(new Option("--kind <kind>", "only this kind").choices(Object.keys(KINDS)))
    .option("--name <name>", "only this name")
    .action(() =>
      withSession(list, terminal, async (session) => {
        const { kind, name } = list.opts<{ kind?: string; name?: string }>();
        const principals = await listPrincipals(session.api, {
          ...(kind !== undefined && { kind: KINDS[kind] ?? kind }),
          ...(name !== undefined && { name }),
        });
        session.list(principals, COLUMNS);
      }),
    );

  const show = defineClient(group, {
    usage: "show <principal>",
    summary: "one principal, by name or id",
    examples: [["npx atoll principals show jane", "what is known of jane"]],
  });
  show.action((principal: string) =>
    withSession(show, terminal, async (session) => {
      const { id } = await findPrincipal(session.api, principal);
      session.show(Object(await callPrincipals(session.api, "GET", `/${id}`)));
    }),
  );
}
