import { Option, type Command } from "commander";
import { defineClient } from "../command.ts";
import { CliError } from "../errors.ts";
import type { Terminal } from "../terminal.ts";
import {
  addDisplayName,
  addLink,
  addPassword,
  addRedirectUris,
  fieldsOf,
  type FieldOptions,
} from "./fields.ts";
import { asPrincipal, callPrincipals, findPrincipal } from "./principals-api.ts";
import { withSession } from "./session.ts";

interface UpdateOptions extends FieldOptions {
  readonly name?: string;
  readonly enable?: true;
  readonly disable?: true;
}

/** `atoll principals update` and `remove`. */
export function addChange(group: Command, terminal: Terminal): void {
  const update = defineClient(group, {
    usage: "update <principal>",
    summary: "change what is known of a principal",
    examples: [
      ["npx atoll principals update jane --disable", "its tokens are refused at once"],
      ['npx atoll principals update jane --display-name "Jane Doe"', "how pages call her"],
    ],
  });
  addLink(addRedirectUris(addPassword(addDisplayName(update))))
    .option("--name <name>", "a new name")
    .addOption(new Option("--enable", "let it sign in again").conflicts("disable"))
    .option("--disable", "refuse it, and the tokens it has")
    .action((principal: string) =>
      withSession(update, terminal, async ({ api, show }) => {
        const body = await changesOf(update.opts<UpdateOptions>(), terminal);
        const { id } = await findPrincipal(api, principal);
        const changed = asPrincipal(await callPrincipals(api, "PATCH", `/${id}`, body));
        show(changed, "Updated.");
      }),
    );

  const remove = defineClient(group, {
    usage: "remove <principal>",
    summary: "remove a principal and its role assignments",
    examples: [["npx atoll principals remove jane", "by name; an id works as well"]],
  });
  remove.action((principal: string) =>
    withSession(remove, terminal, async ({ api, show }) => {
      const { id, name } = await findPrincipal(api, principal);
      await callPrincipals(api, "DELETE", `/${id}`);
      show({ id, name }, "Removed.");
    }),
  );
}

async function changesOf(options: UpdateOptions, terminal: Terminal): Promise<object> {
  const { name, enable, disable } = options;
  const changes = {
    ...(await fieldsOf(options, terminal)),
    ...(name !== undefined && { name }),
    ...(enable === true && { enabled: true }),
    ...(disable === true && { enabled: false }),
  };
  if (Object.keys(changes).length > 0) return changes;
  throw new CliError(
    "There is nothing to change.",
    "Name a change; npx atoll principals update --help lists them.",
  );
}
