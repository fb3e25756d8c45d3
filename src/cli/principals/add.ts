import type { Command } from "commander";
import { defineClient, defineGroup } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import {
  addDisplayName,
  addLink,
  addPassword,
  addRedirectUris,
  fieldsOf,
  type FieldOptions,
} from "./fields.ts";
import { asPrincipal, callPrincipals } from "./principals-api.ts";
import { withSession } from "./session.ts";

interface ServicePrincipalOptions extends FieldOptions {
  readonly public?: true;
  readonly implicit?: true;
  /** False with `--no-secret`. */
  readonly secret: boolean;
}

/** `atoll principals add user|group|service-principal`. */
export function addAdd(parent: Command, terminal: Terminal): void {
  const group = defineGroup(parent, {
    usage: "add",
    summary: "add a user, a group or a service principal",
    examples: [
      ["npx atoll principals add service-principal ci", "prints its id and secret"],
      ["npx atoll principals add group readers", "a group"],
    ],
  });
  addUser(group, terminal);
  addGroup(group, terminal);
  addServicePrincipal(group, terminal);
}

function addUser(group: Command, terminal: Terminal): void {
  const command = defineClient(group, {
    usage: "user <name>",
    summary: "a person",
    examples: [
      [
        'printf %s "$PASSWORD" | npx atoll principals add user jane --password-stdin',
        "who signs in with a password",
      ],
      ["npx atoll principals add user jane --issuer URL --subject ID", "who signs in elsewhere"],
    ],
  });
  addLink(addPassword(addDisplayName(command))).action((name: string) =>
    withSession(command, terminal, async (session) => {
      const fields = await fieldsOf(command.opts<FieldOptions>(), terminal);
      const body = { kind: "User", name, ...fields };
      const user = asPrincipal(await callPrincipals(session.api, "POST", "", body));
      session.show({ id: user.id, name: user.name }, "Added the user.");
    }),
  );
}

function addGroup(group: Command, terminal: Terminal): void {
  const command = defineClient(group, {
    usage: "group <name>",
    summary: "a group, whose roles its members have",
    examples: [["npx atoll principals add group readers", "then: principals members add"]],
  });
  addDisplayName(command).action((name: string) =>
    withSession(command, terminal, async (session) => {
      const fields = await fieldsOf(command.opts<FieldOptions>(), terminal);
      const body = { kind: "Group", name, ...fields };
      const made = asPrincipal(await callPrincipals(session.api, "POST", "", body));
      session.show({ id: made.id, name: made.name }, "Added the group.");
    }),
  );
}

function addServicePrincipal(group: Command, terminal: Terminal): void {
  const command = defineClient(group, {
    usage: "service-principal <name>",
    summary: "a program; its secret is shown this once",
    examples: [
      ["npx atoll principals add service-principal ci", "prints its id and secret"],
      [
        "npx atoll principals add service-principal app --public --redirect-uri http://127.0.0.1/",
        "a program that cannot keep a secret",
      ],
    ],
  });
  addLink(addRedirectUris(addDisplayName(command)))
    .option("--public", "it cannot keep a secret and has none")
    .option("--implicit", "it may be sent tokens in a redirect's fragment")
    .option("--no-secret", "make no secret now")
    .action((name: string) =>
      withSession(command, terminal, async ({ api, show }) => {
        const options = command.opts<ServicePrincipalOptions>();
        const isPublic = options.public === true;
        const fields = await fieldsOf(options, terminal);
        const body = {
          kind: "ServicePrincipal",
          name,
          ...fields,
          ...(isPublic && { publicClient: true }),
          ...(options.implicit === true && { implicitFlow: true }),
        };
        const { id } = asPrincipal(await callPrincipals(api, "POST", "", body));
        if (isPublic || !options.secret) {
          show({ id, name }, "Added the service principal.");
          return;
        }
        const made = Object(await callPrincipals(api, "POST", `/${id}/secrets`, {}));
        const secret = { id, name, secretId: made.id, secret: made.secret };
        show(secret, "Added the service principal. The secret is not shown again.");
      }),
    );
}
