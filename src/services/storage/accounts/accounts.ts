import { Problem } from "#platform/problem.ts";
import type { StorageAccount } from "../context.ts";
import {
  newAccount,
  newKey,
  type Account,
  type AccountSettings,
  type KeyEnvironment,
  type KeyName,
} from "./account.ts";
import type { AccountRows } from "./account-rows.ts";
import {
  accountIsFixed,
  accountIsLeaving,
  accountIsProtected,
  accountNotFound,
  nameFault,
  tooManyAccounts,
} from "./refusals.ts";

const ACCOUNTS_MAX = 250;
/** What an account has of which nobody said anything. */
const DEFAULTS: AccountSettings = {
  location: "local",
  kind: "StorageV2",
  sku: "Standard_RAGRS",
  tags: {},
};

export interface AccountsOptions {
  readonly rows: AccountRows;
  readonly environment: KeyEnvironment;
  /** Accounts that the configuration gives. They are there as long as it does. */
  readonly fixed: readonly StorageAccount[];
  /** An account that is made at the first start, and cannot be deleted. */
  readonly own: string | undefined;
}

/** The storage accounts: what is known of them, and the keys that open them at this moment. */
export interface Accounts {
  /** Of every account that serves, decoded. */
  readonly keys: ReadonlyMap<string, readonly Uint8Array[]>;
  /** In the order of their names. */
  readonly list: () => readonly Account[];
  readonly find: (name: string) => Account | undefined;
  /** Names of accounts whose deletion was begun and not completed. */
  readonly leaving: () => readonly string[];
  /** Makes an account with two new keys, or changes what is said of one. */
  readonly put: (name: string, settings: AccountSettings) => Promise<Account>;
  /** Replaces a key. Once this resolves the old one opens nothing. */
  readonly regenerate: (name: string, key: KeyName) => Promise<Account>;
  /** What user delegation keys are derived from at this moment. */
  readonly delegationSecret: (name: string) => Uint8Array;
  /** Ends all user delegation keys, and what they have signed. */
  readonly revokeDelegation: (name: string) => Promise<Account>;
  /** Refuses every request to the account, lets `clear` empty it, and forgets it. */
  readonly remove: (name: string, clear: () => Promise<void>) => Promise<void>;
}

export async function openAccounts(options: AccountsOptions): Promise<Accounts> {
  const { rows, environment, fixed, own } = options;
  const known = createKnown();
  for (const account of await rows.read()) known.show(account);
  for (const given of fixed) known.show(fixedAccount(given, environment));
  if (own !== undefined && !known.accounts.has(own)) {
    known.show(await rows.keep(newAccount(own, DEFAULTS, environment)));
  }
  return { ...reading(known), ...changing(known, options) };
}

type Known = ReturnType<typeof createKnown>;

/** Accounts by name, and the keys of those that serve. */
function createKnown() {
  const accounts = new Map<string, Account>();
  const keys = new Map<string, readonly Uint8Array[]>();
  return {
    accounts,
    keys,
    show: (account: Account): Account => {
      const { name, isLeaving } = account;
      accounts.set(name, account);
      const decoded = account.keys.map(({ value }) => Buffer.from(value, "base64"));
      if (isLeaving) keys.delete(name);
      else keys.set(name, decoded);
      return account;
    },
  };
}

function reading({ accounts, keys }: Known) {
  const all = () => [...accounts.values()];
  return {
    keys,
    list: () =>
      all()
        .filter((one) => !one.isLeaving)
        .toSorted((left, right) => (left.name < right.name ? -1 : 1)),
    find: (name: string) => (keys.has(name) ? accounts.get(name) : undefined),
    delegationSecret(name: string): Uint8Array {
      const account = keys.has(name) ? accounts.get(name) : undefined;
      if (account === undefined) throw accountNotFound(name);
      return Buffer.from(account.delegationSecret, "base64");
    },
    leaving: () => all().flatMap(({ name, isLeaving }) => (isLeaving ? [name] : [])),
  };
}

function changing(known: Known, { rows, environment, own }: AccountsOptions) {
  const { accounts, show } = known;
  const inTurn = createTurns();
  const requireOwn = (name: string): Account => {
    const existing = accounts.get(name);
    if (existing === undefined || existing.isLeaving) throw accountNotFound(name);
    if (existing.isFixed) throw accountIsFixed(name);
    return existing;
  };
  return {
    put: (name: string, settings: AccountSettings) =>
      inTurn(async () => {
        const fault = nameFault(name);
        if (fault !== undefined) throw new Problem(400, "AccountNameInvalid", fault);
        const existing = accounts.get(name);
        if (existing === undefined) {
          if (accounts.size >= ACCOUNTS_MAX) throw tooManyAccounts(ACCOUNTS_MAX);
          return show(await rows.keep(newAccount(name, settings, environment)));
        }
        if (existing.isFixed) throw accountIsFixed(name);
        if (existing.isLeaving) throw accountIsLeaving(name);
        return show(await rows.keep({ ...existing, ...settings }));
      }),
    regenerate: (name: string, key: KeyName) =>
      inTurn(async () => {
        const existing = requireOwn(name);
        const keys = existing.keys.with(key === "key1" ? 0 : 1, newKey(environment));
        return show(await rows.keep({ ...existing, keys }));
      }),
    revokeDelegation: (name: string) =>
      inTurn(async () => {
        const delegationSecret = newKey(environment).value;
        return show(await rows.keep({ ...requireOwn(name), delegationSecret }));
      }),
    remove: (name: string, clear: () => Promise<void>) =>
      inTurn(async () => {
        const existing = accounts.get(name);
        if (existing === undefined) throw accountNotFound(name);
        if (existing.isFixed || name === own) throw accountIsProtected(name);
        // After a crash from here on nobody reaches the account, and the next start goes on.
        show(await rows.keep({ ...existing, isLeaving: true }));
        await clear();
        await rows.forget(name);
        accounts.delete(name);
      }),
  };
}

function fixedAccount({ name, keys }: StorageAccount, environment: KeyEnvironment): Account {
  const made = newAccount(name, DEFAULTS, environment);
  const { createdAt } = made;
  // Nothing of it is kept, so whatever outlives a restart follows from its keys.
  const [delegationSecret = ""] = keys;
  const given = keys.map((value) => ({ value, createdAt }));
  return { ...made, keys: given, delegationSecret, isFixed: true };
}

/** Runs one after the other what changes accounts. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
