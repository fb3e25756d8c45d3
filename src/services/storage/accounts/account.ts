import type { Environment } from "#platform/environment.ts";

const KEY_BYTES = 64;
export const KEY_NAMES = ["key1", "key2"] as const;
export type KeyName = (typeof KEY_NAMES)[number];

export interface AccountKey {
  /** Base64. */
  readonly value: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** What whoever makes an account says of it; told again, and without further effect. */
export interface AccountSettings {
  readonly location: string;
  readonly kind: string;
  /** Name of the SKU. */
  readonly sku: string;
  readonly tags: Readonly<Record<string, string>>;
}

export interface Account extends AccountSettings {
  readonly name: string;
  readonly createdAt: string;
  /** `key1`, then `key2` where there is one; all of them are valid at once. */
  readonly keys: readonly AccountKey[];
  /** Base64; what user delegation keys are derived from. */
  readonly delegationSecret: string;
  /** Given by the configuration: its keys stay. */
  readonly isFixed: boolean;
  /** It is being deleted, and no longer serves. */
  readonly isLeaving: boolean;
}

export type KeyEnvironment = Pick<Environment, "now" | "randomBytes">;

export function newKey({ now, randomBytes }: KeyEnvironment): AccountKey {
  return { value: randomBytes(KEY_BYTES).toString("base64"), createdAt: now().toISOString() };
}

/** An account with two new keys. */
export function newAccount(
  name: string,
  settings: AccountSettings,
  environment: KeyEnvironment,
): Account {
  const { location, kind, sku, tags } = settings;
  const createdAt = environment.now().toISOString();
  const values = [newKey(environment).value, newKey(environment).value];
  const keys = values.map((value) => ({ value, createdAt }));
  const delegationSecret = newKey(environment).value;
  const state = { isFixed: false, isLeaving: false };
  return { name, location, kind, sku, tags, createdAt, keys, delegationSecret, ...state };
}
