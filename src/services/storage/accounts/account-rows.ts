import type { Sealer } from "#platform/seal.ts";
import type { Store } from "#platform/store/store.ts";
import type { AccountRow, StorageTables } from "../store.ts";
import type { Account } from "./account.ts";

/** Accounts on disk, their keys sealed. */
export interface AccountRows {
  readonly read: () => Promise<readonly Account[]>;
  /** Writes an account, or what it is from now on. */
  readonly keep: (account: Account) => Promise<Account>;
  readonly forget: (name: string) => Promise<void>;
}

export function accountRows(store: Store<StorageTables>, sealer: Sealer): AccountRows {
  return {
    async read() {
      const rows = await store.db.selectFrom("account").selectAll().execute();
      return rows.map((row) => accountOf(row, sealer));
    },
    async keep(account) {
      const row = rowOf(account, sealer);
      await store.write((transaction) =>
        transaction
          .insertInto("account")
          .values(row)
          .onConflict((same) => same.column("name").doUpdateSet(row))
          .execute(),
      );
      return account;
    },
    async forget(name) {
      await store.write((transaction) =>
        transaction.deleteFrom("account").where("name", "=", name).execute(),
      );
    },
  };
}

function rowOf(account: Account, sealer: Sealer): AccountRow {
  const { name, createdAt, location, kind, sku, tags, isLeaving } = account;
  const { keys, delegationSecret } = account;
  const secrets = JSON.stringify({ keys, delegationSecret });
  const sealedKeys = sealer.seal(Buffer.from(secrets), purposeOf(name));
  const leaving = isLeaving ? 1 : 0;
  return { name, createdAt, location, kind, sku, tags: JSON.stringify(tags), sealedKeys, leaving };
}

function accountOf(row: AccountRow, sealer: Sealer): Account {
  const { sealedKeys, leaving, tags, ...named } = row;
  const secrets = Buffer.from(sealer.open(sealedKeys, purposeOf(row.name))).toString();
  return {
    ...named,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    ...(JSON.parse(secrets) as Pick<Account, "delegationSecret" | "keys">),
    // Written by `rowOf` and by nothing else.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    tags: JSON.parse(tags) as Record<string, string>,
    isFixed: false,
    isLeaving: leaving === 1,
  };
}

/** The keys of one account open for no other. */
function purposeOf(name: string): string {
  return `keys of the storage account ${name}`;
}
