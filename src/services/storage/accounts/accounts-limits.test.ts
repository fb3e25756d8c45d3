import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { realEnvironment } from "#platform/environment.ts";
import { openSealer } from "#platform/seal.ts";
import { openStore } from "#platform/store/open-store.ts";
import type { StoreLocation } from "#platform/store/store.ts";
import { startStorage } from "../storage.fixture.ts";
import { migrations, type StorageTables } from "../store.ts";
import { accountRows } from "./account-rows.ts";
import { openAccounts } from "./accounts.ts";

const SETTINGS = { location: "here", kind: "StorageV2", sku: "Standard_LRS", tags: {} };
const ACCOUNTS_MAX = 250;

async function opened(dir: string, location: StoreLocation = { kind: "memory" }) {
  const store = await openStore<StorageTables>({ location, migrations });
  const rows = accountRows(store, await openSealer(dir));
  const environment = realEnvironment;
  const accounts = await openAccounts({ rows, environment, fixed: [], own: undefined });
  return { accounts, store };
}

suite("storage accounts", () => {
  test("are not made beyond their number, and changed all the same", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-accounts-"));
    const { accounts, store } = await opened(folder.path);
    for (let made = 0; made < ACCOUNTS_MAX; made += 1) await accounts.put(`one${made}`, SETTINGS);
    await assert.rejects(accounts.put("more", SETTINGS), {
      statusCode: 409,
      code: "MaxStorageAccountsCountPerSubscriptionExceeded",
      message: "There are 250 storage accounts, which is all that there may be.",
    });
    const changed = await accounts.put("one0", { ...SETTINGS, location: "there" });
    assert.equal(changed.location, "there");
    await store.close();
  });

  test("whose deletion was cut short serve nobody, and go at the next start", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-accounts-"));
    const location = { kind: "sqlite", file: join(folder.path, "storage.sqlite") } as const;
    const { accounts, store } = await opened(folder.path, location);
    await accounts.put("one", SETTINGS);
    const cut = accounts.remove("one", () => Promise.reject(new Error("The power went.")));
    await assert.rejects(cut, /The power went/);
    assert.deepEqual([accounts.find("one"), accounts.keys.has("one")], [undefined, false]);
    await assert.rejects(accounts.put("one", SETTINGS), {
      statusCode: 409,
      code: "StorageAccountIsBeingDeleted",
    });
    await assert.rejects(accounts.regenerate("one", "key1"), { statusCode: 404 });
    await store.close();

    const storage = await startStorage({ location, dir: folder.path });
    await storage.stop();
    const again = await opened(folder.path, location);
    assert.deepEqual(again.accounts.leaving(), []);
    await again.accounts.put("one", SETTINGS);
    await again.store.close();
  });
});
