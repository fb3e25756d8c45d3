import type { Store } from "#platform/store/store.ts";
import type { EncryptionScopeRow, StorageTables } from "../store.ts";

export function readScopes({ db }: Store<StorageTables>): Promise<EncryptionScopeRow[]> {
  return db.selectFrom("encryptionScope").selectAll().execute();
}

/** Writes a scope, or its state where it is there already: its key stays. */
export async function writeScope(
  store: Store<StorageTables>,
  row: EncryptionScopeRow,
): Promise<void> {
  const { state, changedAt } = row;
  await store.write((transaction) =>
    transaction
      .insertInto("encryptionScope")
      .values(row)
      .onConflict((same) => same.columns(["account", "name"]).doUpdateSet({ state, changedAt }))
      .execute(),
  );
}

export async function deleteScopes(store: Store<StorageTables>, account: string): Promise<void> {
  await store.write((transaction) =>
    transaction.deleteFrom("encryptionScope").where("account", "=", account).execute(),
  );
}
