import type { Command } from "commander";
import { defineClient, defineGroup } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { asList, callPrincipals, findPrincipal } from "./principals-api.ts";
import { withSession } from "./session.ts";

interface Credential {
  readonly usage: string;
  /** The last part of the path that they are kept under. */
  readonly path: string;
  readonly noun: string;
}

const COLUMNS = ["id", "description", "createdAt", "expiresAt"];

const CREDENTIALS: readonly Credential[] = [
  { usage: "secrets", path: "secrets", noun: "client secret" },
  { usage: "api-keys", path: "apiKeys", noun: "API key" },
];

/** `atoll principals secrets|api-keys add|list|remove`. */
export function addCredentials(parent: Command, terminal: Terminal): void {
  for (const credential of CREDENTIALS) {
    const { usage, noun } = credential;
    const group = defineGroup(parent, {
      usage,
      summary: `the ${noun}s of a principal`,
      examples: [[`npx atoll principals ${usage} add ci`, `prints a new ${noun}, this once`]],
    });
    addAdd(group, terminal, credential);
    addList(group, terminal, credential);
    addRemove(group, terminal, credential);
  }
}

interface NewCredential {
  readonly description?: string;
  readonly expiresAt?: string;
}

function addAdd(group: Command, terminal: Terminal, { usage, path, noun }: Credential): void {
  const command = defineClient(group, {
    usage: "add <principal>",
    summary: `make ${one(noun)}; it is shown this once`,
    examples: [[`npx atoll principals ${usage} add ci`, "the ones before stay valid"]],
  });
  command
    .option("--description <text>", "what it is for")
    .option("--expires-at <time>", "until when it is valid, such as 2030-12-31T00:00:00Z")
    .action((principal: string) =>
      withSession(command, terminal, async ({ api, show }) => {
        const { description, expiresAt } = command.opts<NewCredential>();
        const body = {
          ...(description !== undefined && { description }),
          ...(expiresAt !== undefined && { expiresAt }),
        };
        const { id } = await findPrincipal(api, principal);
        const made = Object(await callPrincipals(api, "POST", `/${id}/${path}`, body));
        show(made, `Made ${one(noun)}. It is not shown again.`);
      }),
    );
}

function addList(group: Command, terminal: Terminal, { usage, path, noun }: Credential): void {
  const command = defineClient(group, {
    usage: "list <principal>",
    summary: `which ${noun}s there are`,
    examples: [[`npx atoll principals ${usage} list ci`, "never the secret itself"]],
  });
  command.action((principal: string) =>
    withSession(command, terminal, async ({ api, list }) => {
      const { id } = await findPrincipal(api, principal);
      list(asList(await callPrincipals(api, "GET", `/${id}/${path}`)), COLUMNS);
    }),
  );
}

function addRemove(group: Command, terminal: Terminal, { usage, path, noun }: Credential): void {
  const command = defineClient(group, {
    usage: "remove <principal> <id>",
    summary: `refuse ${one(noun)} from now on`,
    examples: [[`npx atoll principals ${usage} remove ci ID`, "the id that list shows"]],
  });
  command.action((principal: string, credentialId: string) =>
    withSession(command, terminal, async ({ api, show }) => {
      const { id } = await findPrincipal(api, principal);
      const target = `/${id}/${path}/${encodeURIComponent(credentialId)}`;
      await callPrincipals(api, "DELETE", target);
      show({ id: credentialId }, `Removed the ${noun}.`);
    }),
  );
}

/** `a client secret`, `an API key`. */
function one(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}
