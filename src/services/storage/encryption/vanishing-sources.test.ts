import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { BlockStore } from "#engines/blocks/block-store.ts";
import { ACCOUNT, createAppendBlob, ORIGIN, send, startStorage } from "../storage.fixture.ts";
import type { TestStorage } from "../storage.fixture.ts";

const SCOPES = "/subscriptions/s1/resourceGroups/local/providers/Svc.Storage/storageAccounts";
const BEARER = { authorization: "Bearer t.reader" };
/** More than are looked up at a time. */
const BLOCKS = 1100;
const BLOCK = { "x-svc-blob-type": "BlockBlob" };

/** Copies an append blob into a scope, and does something else once its bytes are being read. */
async function copyWhile(meanwhile: (storage: TestStorage) => Promise<unknown>, blocks: number) {
  const race = { isOn: false };
  const wrapBlocks = (files: BlockStore): BlockStore => ({
    ...files,
    async write(source, options) {
      const written = await files.write(source, options);
      if (race.isOn) {
        race.isOn = false;
        await meanwhile(storage);
      }
      return written;
    },
  });
  const storage: TestStorage = await startStorage({ decide: () => true, wrapBlocks });
  const url = `${SCOPES}/${ACCOUNT}/encryptionScopes/scope-one?api-version=2025-01-01`;
  await storage.gateway.inject({ method: "PUT", url, headers: BEARER, body: {} });
  await createAppendBlob(storage, "data/log");
  const append = () => send(storage, "data/log?comp=appendblock", { body: "block\n" });
  await Promise.all(Array.from({ length: blocks }, append));
  race.isOn = true;
  const source = { "x-svc-copy-source": `${ORIGIN}/${ACCOUNT}/data/log` };
  const headers = { ...source, "x-svc-encryption-scope": "scope-one" };
  const { status, code } = await send(storage, "data/copy", { headers });
  const { status: found, text } = await send(storage, "data/copy", { method: "GET" });
  await storage.stop();
  return { status, code, lines: found === 200 ? text.split("\n").length - 1 : 0 };
}

suite("a source that changes while it is encrypted anew", () => {
  const remove = (storage: TestStorage) => send(storage, "data/log", { method: "DELETE" });
  const overwrite = (storage: TestStorage) =>
    send(storage, "data/log", { headers: BLOCK, body: "other" });
  const NOT_COPIED = { code: "CannotVerifyCopySource", lines: 0 };

  test("is not copied in part when it is deleted or overwritten", async () => {
    assert.deepEqual(await copyWhile(remove, BLOCKS), { status: 409, ...NOT_COPIED });
    assert.deepEqual(await copyWhile(overwrite, BLOCKS), { status: 409, ...NOT_COPIED });
  });

  test("is gone, or another one, also when all of its bytes were read", async () => {
    assert.deepEqual(await copyWhile(remove, 1), { status: 404, ...NOT_COPIED });
    assert.deepEqual(await copyWhile(overwrite, 1), { status: 409, ...NOT_COPIED });
  });

  test("is copied as it was when it grows", async () => {
    const append = (storage: TestStorage) =>
      send(storage, "data/log?comp=appendblock", { body: "more\n" });
    assert.deepEqual(await copyWhile(append, 2), { status: 202, code: "", lines: 2 });
  });
});
