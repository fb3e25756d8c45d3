import type { Environment } from "#platform/environment.ts";
import { Problem } from "#platform/problem.ts";
import type { Sealer } from "#platform/seal.ts";
import type { Store } from "#platform/store/store.ts";
import type { EncryptionScopeRow, StorageTables } from "../store.ts";
import { deleteScopes, readScopes, writeScope } from "./scope-rows.ts";

/** Scopes of one account. */
const SCOPES_MAX = 10_000;
const KEY_BYTES = 32;
const NAME_LENGTH = { min: 3, max: 63 };
/** Lower-case letters and digits, single hyphens between them. */
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export type ScopeState = EncryptionScopeRow["state"];

/** A scope as it may be shown: without its key. */
export type Scope = Omit<EncryptionScopeRow, "sealedKey">;

/** The encryption scopes of all accounts. Each has a key of its own, which never changes. */
export interface Scopes {
  /** The key of a scope that may be used. Refuses one that is not there, or disabled. */
  readonly keyOf: (account: string, name: string) => Uint8Array;
  readonly find: (account: string, name: string) => Scope | undefined;
  /** In the order of their names. */
  readonly list: (account: string) => readonly Scope[];
  /** Makes a scope, or changes the state of the one that is there. Durable when it resolves. */
  readonly put: (account: string, name: string, state: ScopeState) => Promise<Scope>;
  /** Forgets the scopes of an account, and their keys with them. */
  readonly removeAll: (account: string) => Promise<void>;
}

export interface ScopesOptions {
  readonly store: Store<StorageTables>;
  readonly sealer: Sealer;
  readonly environment: Environment;
}

interface Held extends ScopesOptions {
  readonly rows: Map<string, EncryptionScopeRow>;
  /** Those that have been used. */
  readonly keys: Map<string, Uint8Array>;
}

export async function openScopes(options: ScopesOptions): Promise<Scopes> {
  const found = await readScopes(options.store);
  const rows = new Map(found.map((row) => [idOf(row.account, row.name), row]));
  const held = { ...options, rows, keys: new Map<string, Uint8Array>() };
  // Two that make one scope at once would otherwise give it two keys.
  const inTurn = createTurns();
  return {
    keyOf: (account, name) => keyOf(held, account, name),
    find(account, name) {
      const row = rows.get(idOf(account, name));
      return row === undefined ? undefined : shown(row);
    },
    list: (account) => list(held, account),
    put: (account, name, state) => inTurn(() => put(held, { account, name, state })),
    removeAll: (account) => inTurn(() => removeAll(held, account)),
  };
}

function keyOf({ rows, keys, sealer }: Held, account: string, name: string): Uint8Array {
  const id = idOf(account, name);
  const row = rows.get(id);
  if (row === undefined) throw scopeNotFound(name);
  if (row.state === "Disabled") {
    const said = `The encryption scope "${name}" is disabled; what it encrypts is out of reach.`;
    throw new Problem(403, "EncryptionScopeDisabled", said);
  }
  const key = keys.get(id) ?? sealer.open(row.sealedKey, purposeOf(id));
  keys.set(id, key);
  return key;
}

function list({ rows }: Held, account: string): readonly Scope[] {
  const own = [...rows.values()].filter((row) => row.account === account);
  return own.toSorted((one, other) => (one.name < other.name ? -1 : 1)).map(shown);
}

async function put(held: Held, asked: Pick<Scope, "account" | "name" | "state">): Promise<Scope> {
  const { rows, store, environment } = held;
  const id = idOf(asked.account, asked.name);
  const existing = rows.get(id);
  if (existing?.state === asked.state) return shown(existing);
  const changedAt = environment.now().toISOString();
  const made = existing ?? { createdAt: changedAt, sealedKey: newKey(held, asked) };
  const row = { ...made, ...asked, changedAt };
  await writeScope(store, row);
  rows.set(id, row);
  return shown(row);
}

function newKey(held: Held, { account, name }: Pick<Scope, "account" | "name">): Uint8Array {
  requireName(name);
  const count = list(held, account).length;
  if (count >= SCOPES_MAX) {
    const said = `The account has ${count} encryption scopes, and ${SCOPES_MAX} is the limit.`;
    throw new Problem(409, "EncryptionScopeCountExceeded", said);
  }
  const key = held.environment.randomBytes(KEY_BYTES);
  return held.sealer.seal(key, purposeOf(idOf(account, name)));
}

async function removeAll(held: Held, account: string): Promise<void> {
  const names = list(held, account).map(({ name }) => idOf(account, name));
  await deleteScopes(held.store, account);
  for (const id of names) {
    held.rows.delete(id);
    held.keys.delete(id);
  }
}

/** Runs one piece of work after the other. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

export function scopeNotFound(name: string): Problem {
  const said = `The account has no encryption scope "${name}".`;
  return new Problem(404, "EncryptionScopeNotFound", said);
}

function requireName(name: string): void {
  const { min, max } = NAME_LENGTH;
  if (name.length >= min && name.length <= max && NAME.test(name)) return;
  throw new Problem(
    400,
    "InvalidResourceName",
    `"${name}" is no name of an encryption scope: ${min} to ${max} lower-case letters, digits ` +
      "and single hyphens.",
  );
}

function shown({ account, name, state, createdAt, changedAt }: EncryptionScopeRow): Scope {
  return { account, name, state, createdAt, changedAt };
}

function idOf(account: string, name: string): string {
  return `${account}/${name}`;
}

/** The key of one scope opens for no other. */
function purposeOf(id: string): string {
  return `key of the storage encryption scope ${id}`;
}
