import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { realEnvironment } from "#platform/environment.ts";
import { openSealer } from "#platform/seal.ts";
import { openStore } from "#platform/store/open-store.ts";
import { migrations, type StorageTables } from "../store.ts";
import { openScopes } from "./scopes.ts";

const LIMIT = 10_000;
const ROWS_PER_INSERT = 1000;
const NOW = "2026-01-01T00:00:00.000Z";

suite("the encryption scopes of an account", () => {
  test("are at most 10,000, of which each can be changed", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-scopes-"));
    const store = await openStore<StorageTables>({ location: { kind: "memory" }, migrations });
    const sealedKey = new Uint8Array(1);
    await store.write(async (transaction) => {
      for (let from = 0; from < LIMIT; from += ROWS_PER_INSERT) {
        const rows = Array.from({ length: ROWS_PER_INSERT }, (_, at) => {
          const name = `scope-${from + at}`;
          const state = "Enabled" as const;
          return { account: "a", name, state, createdAt: NOW, changedAt: NOW, sealedKey };
        });
        await transaction.insertInto("encryptionScope").values(rows).execute();
      }
    });
    const sealer = await openSealer(folder.path);
    const scopes = await openScopes({ store, sealer, environment: realEnvironment });
    const refused = { statusCode: 409, code: "EncryptionScopeCountExceeded" };
    await assert.rejects(scopes.put("a", "one-more", "Enabled"), refused);
    assert.equal((await scopes.put("a", "scope-1", "Disabled")).state, "Disabled");
    assert.equal((await scopes.put("b", "one-more", "Enabled")).state, "Enabled");
    await store.close();
  });
});
