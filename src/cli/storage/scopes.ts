import type { Command } from "commander";
import { defineClient, defineGroup } from "../command.ts";
import { isRecord } from "../instance.ts";
import { withSession, type Session } from "../principals/session.ts";
import type { Terminal } from "../terminal.ts";
import { callAccounts, itemsOf } from "./accounts-api.ts";

const COLUMNS = ["name", "state", "created"];

/** `atoll storage scopes`: what encrypts the blobs of an account; each scope has its own key. */
export function addScopes(parent: Command, terminal: Terminal): void {
  const group = defineGroup(parent, {
    usage: "scopes",
    summary: "encryption scopes of a storage account",
    examples: [
      ["npx atoll storage scopes add devstoreaccount1 project-a", "a scope with a key of its own"],
      ["npx atoll storage scopes disable devstoreaccount1 project-a", "out of reach from now on"],
    ],
  });
  addList(group, terminal);
  addAdd(group, terminal);
  addState(group, terminal, "disable");
  addState(group, terminal, "enable");
}

function addList(group: Command, terminal: Terminal): void {
  const list = defineClient(group, {
    usage: "list <account>",
    summary: "the scopes of an account",
    examples: [["npx atoll storage scopes list devstoreaccount1", "all of them"]],
  });
  list.action((account: string) =>
    withSession(list, terminal, async (session) => {
      const scopes = itemsOf(await callAccounts(session, "GET", pathOf(account)), "value");
      session.list(scopes.map(shown), COLUMNS);
    }),
  );
}

function addAdd(group: Command, terminal: Terminal): void {
  const add = defineClient(group, {
    usage: "add <account> <scope>",
    summary: "make a scope, or show the one that is there",
    examples: [
      [
        "npx atoll storage scopes add devstoreaccount1 project-a",
        "3 to 63 letters, digits, hyphens",
      ],
    ],
  });
  add.action((account: string, scope: string) =>
    withSession(add, terminal, async (session) => {
      show(session, await callAccounts(session, "PUT", pathOf(account, scope), {}));
    }),
  );
}

function addState(group: Command, terminal: Terminal, verb: "disable" | "enable"): void {
  const summary =
    verb === "disable" ? "refuse to read and write what it encrypts" : "allow it again";
  const command = defineClient(group, {
    usage: `${verb} <account> <scope>`,
    summary,
    examples: [[`npx atoll storage scopes ${verb} devstoreaccount1 project-a`, summary]],
  });
  command.action((account: string, scope: string) =>
    withSession(command, terminal, async (session) => {
      const state = verb === "disable" ? "Disabled" : "Enabled";
      const body = { properties: { state } };
      show(session, await callAccounts(session, "PATCH", pathOf(account, scope), body));
    }),
  );
}

function show(session: Session, content: unknown): void {
  session.show(shown(content));
}

function pathOf(account: string, scope?: string): string {
  const scopes = `/${encodeURIComponent(account)}/encryptionScopes`;
  return scope === undefined ? scopes : `${scopes}/${encodeURIComponent(scope)}`;
}

function shown(scope: unknown) {
  if (!isRecord(scope)) return { name: undefined, state: undefined, created: undefined };
  const properties = isRecord(scope["properties"]) ? scope["properties"] : {};
  const { state, creationTime: created } = properties;
  return { name: scope["name"], state, created };
}
