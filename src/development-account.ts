import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Type, type Static } from "typebox";
import { Value } from "typebox/value";
import type { House } from "#platform/house/house.ts";

const StorageAccount = Type.Object({
  name: Type.String({ pattern: "^[a-z0-9]{3,24}$" }),
  /** Base64 of 64 bytes each; both are valid at once. */
  keys: Type.Array(Type.String(), { minItems: 1, maxItems: 2 }),
});
export type StorageAccount = Static<typeof StorageAccount>;

export const WELL_KNOWN_ACCOUNT = "devstoreaccount1";
export const OWN_ACCOUNT = "atollaccount1";

/** The account that every storage emulator and SDK knows; its key is public knowledge. */
const WELL_KNOWN: StorageAccount = {
  name: WELL_KNOWN_ACCOUNT,
  keys: [
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
  ],
};

const KEY_BYTES = 64;
const SECRET_MODE = 0o600;

/**
 * The first storage account. The well-known one serves only while nothing but this machine can
 * reach Atoll; otherwise an account of its own, with random keys that survive a restart.
 */
export async function developmentAccount(house: House): Promise<StorageAccount> {
  if (house.isLoopback) return WELL_KNOWN;
  const file = join(await house.data.serviceDir("storage"), "account.json");
  const kept = await readFile(file, "utf8").catch(() => undefined);
  if (kept !== undefined) return Value.Parse(StorageAccount, JSON.parse(kept));
  const newKey = () => house.environment.randomBytes(KEY_BYTES).toString("base64");
  const account = { name: OWN_ACCOUNT, keys: [newKey(), newKey()] };
  await writeFile(file, JSON.stringify(account), { mode: SECRET_MODE, flush: true });
  return account;
}
