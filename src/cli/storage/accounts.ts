import { Argument, type Command } from "commander";
import { defineClient, defineGroup } from "../command.ts";
import { isRecord } from "../instance.ts";
import { withSession, type Session } from "../principals/session.ts";
import type { Terminal } from "../terminal.ts";
import { callAccounts, itemsOf } from "./accounts-api.ts";

const NEW = { location: "local", kind: "StorageV2", sku: { name: "Standard_RAGRS" } };
const KEY_COLUMNS = ["key", "value", "created"];

/** `atoll storage accounts`: list, add, remove; their keys. */
export function addAccounts(parent: Command, terminal: Terminal): void {
  const group = defineGroup(parent, {
    usage: "accounts",
    summary: "storage accounts and their keys",
    examples: [
      ["npx atoll storage accounts add team1", "an account with two random keys"],
      ["npx atoll storage accounts keys team1", "prints them"],
      ["npx atoll storage accounts regenerate-key team1 key1", "the old one is refused at once"],
    ],
  });
  addList(group, terminal);
  addAdd(group, terminal);
  addRemove(group, terminal);
  addKeys(group, terminal);
}

function addList(group: Command, terminal: Terminal): void {
  const list = defineClient(group, {
    usage: "list",
    summary: "all accounts, and where they answer",
    examples: [["npx atoll storage accounts list -o json", "everything that is known of them"]],
  });
  list.action(() =>
    withSession(list, terminal, async (session) => {
      const accounts = itemsOf(await callAccounts(session, "GET", ""), "value");
      session.list(accounts.map(withUrl), ["name", "url"]);
    }),
  );
}

function addAdd(group: Command, terminal: Terminal): void {
  const add = defineClient(group, {
    usage: "add <account>",
    summary: "make an account with two random keys",
    examples: [["npx atoll storage accounts add team1", "3 to 24 lower-case letters and digits"]],
  });
  add.action((account: string) =>
    withSession(add, terminal, async (session) => {
      const made = await callAccounts(session, "PUT", pathOf(account), NEW);
      const { name, url } = withUrl(made);
      session.show({ name, url }, "Made the account.");
    }),
  );
}

function addRemove(group: Command, terminal: Terminal): void {
  const remove = defineClient(group, {
    usage: "remove <account>",
    summary: "delete an account with everything in it",
    examples: [["npx atoll storage accounts remove team1", "containers and blobs go with it"]],
  });
  remove.action((account: string) =>
    withSession(remove, terminal, async (session) => {
      // Deleting what is not there would pass for a success.
      await callAccounts(session, "GET", pathOf(account));
      await callAccounts(session, "DELETE", pathOf(account));
      session.show({ name: account }, "Removed.");
    }),
  );
}

function addKeys(group: Command, terminal: Terminal): void {
  const keys = defineClient(group, {
    usage: "keys <account>",
    summary: "the keys of an account; all of them are valid",
    examples: [["npx atoll storage accounts keys team1", "key1 and key2"]],
  });
  keys.action((account: string) =>
    withSession(keys, terminal, async (session) => {
      showKeys(session, await callAccounts(session, "POST", `${pathOf(account)}/listKeys`));
    }),
  );
  const replace = defineClient(group, {
    usage: "regenerate-key <account>",
    summary: "replace a key; what the old one has signed is refused at once",
    examples: [["npx atoll storage accounts regenerate-key team1 key2", "prints both keys"]],
  });
  replace
    .addArgument(new Argument("<key>", "which one").choices(["key1", "key2"]))
    .action((account: string, keyName: string) =>
      withSession(replace, terminal, async (session) => {
        const path = `${pathOf(account)}/regenerateKey`;
        showKeys(session, await callAccounts(session, "POST", path, { keyName }));
      }),
    );
}

function showKeys(session: Session, content: unknown): void {
  const keys = itemsOf(content, "keys").map((key) => {
    const { keyName, value, creationTime }: Record<string, unknown> = { ...key };
    return { key: keyName, value, created: creationTime };
  });
  session.list(keys, KEY_COLUMNS);
}

function pathOf(account: string): string {
  return `/${encodeURIComponent(account)}`;
}

/** An account with its address in one piece, for a column. */
function withUrl(account: unknown) {
  if (!isRecord(account)) return { name: undefined, url: undefined };
  const { properties } = account;
  const endpoints = isRecord(properties) ? properties["primaryEndpoints"] : undefined;
  const url = isRecord(endpoints) ? endpoints["blob"] : undefined;
  return { ...account, name: account["name"], url };
}
