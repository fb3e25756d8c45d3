import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { openStore } from "#platform/store/open-store.ts";
import { openDataFolder } from "#platform/store/data-folder.ts";
import { migrations, type StorageTables } from "#services/storage/store.ts";
import { runCli } from "../../../test/support/cli.ts";

const now = "2026-01-01T00:00:00.000Z";
const container = {
  id: 1,
  account: "a",
  name: "logs",
  etag: "0x1",
  lastModified: now,
  publicAccess: null,
  metadata: "{}",
  lease: null,
  policies: null,
  denyEncryptionScopeOverride: 0,
};

/** A stopped instance's folder with one blob, whose bytes are missing. */
async function damagedFolder() {
  const folder = await mkdtempDisposable(join(tmpdir(), "atoll-doctor-"));
  const location = {
    kind: "sqlite",
    file: join(folder.path, "storage", "storage.sqlite"),
  } as const;
  const store = await openStore<StorageTables>({ location, migrations });
  await store.write(async (transaction) => {
    await transaction.insertInto("container").values(container).execute();
    const common = { containerId: 1, type: "AppendBlob", length: 4, blockCount: 1, etag: "0x2" };
    const properties = { lastModified: now, createdAt: now, metadata: "{}" };
    const row = { id: 2, name: "today", ...common, ...properties } as StorageTables["blob"];
    await transaction.insertInto("blob").values(row).execute();
    const crc64 = new Uint8Array(8);
    const block = { blobId: 2, start: 0, extent: 1, extentOffset: 0, length: 4, crc64 };
    await transaction
      .insertInto("block")
      .values({ ...block, blockId: null })
      .execute();
  });
  await store.close();
  return folder;
}

const verify = (data: string, ...more: readonly string[]) =>
  runCli(["doctor", "storage", "--verify", "--data", data, ...more], { variables: {} });

suite("atoll doctor storage --verify", () => {
  test("names what is damaged, and says so with its exit code", async () => {
    await using folder = await damagedFolder();
    const { code, out, err } = await verify(folder.path);
    assert.equal(code, 1);
    assert.match(out, /a\/logs\/today .*0-3 .*Extent 1 cannot be read/);
    assert.match(err, /1 run of bytes is damaged/);
    const json = JSON.parse((await verify(folder.path, "-o", "json")).out) as object;
    assert.deepEqual(Object.keys(json), ["records", "bytes", "damages", "damaged"]);
  });

  test("wants Atoll stopped, and blobs to be there", async () => {
    await using folder = await damagedFolder();
    const held = await openDataFolder(folder.path);
    const running = await verify(folder.path);
    await held.close();
    assert.deepEqual([running.code, running.out], [1, ""]);
    assert.match(running.err, /is in use by process \d+; stop it first/);
    const nothing = await verify(join(folder.path, "elsewhere"));
    assert.match(nothing.err, /There are no blobs in the data folder/);
  });
});
