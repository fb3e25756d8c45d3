import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempDisposable, open, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { ACCOUNT, createAppendBlob, send, startStorage } from "./storage.fixture.ts";
import { openStore } from "#platform/store/open-store.ts";
import { migrations, type StorageTables } from "./store.ts";
import { verifyStorage, type Damage } from "./verify.ts";

const KIB = 1024;

/** Three blobs in extents of 64 KiB, and their storage stopped. */
async function storedBlobs() {
  const folder = await mkdtempDisposable(join(tmpdir(), "atoll-storage-"));
  const dir = folder.path;
  const location = { kind: "sqlite", file: join(dir, "storage.db") } as const;
  const options = { dir, location, extentBytesMax: 64 * KIB };
  const storage = await startStorage(options);
  await createAppendBlob(storage, "data/log");
  for (const body of ["one ", "two ", "three"]) {
    await send(storage, "data/log?comp=appendblock", { body });
  }
  const headers = { "x-svc-blob-type": "BlockBlob" };
  const [large, sound] = [randomBytes(600 * KIB), randomBytes(30 * KIB)];
  await send(storage, "data/large", { headers, body: large });
  await send(storage, "data/sound", { headers, body: sound });
  await storage.stop();
  return {
    options,
    sound,
    extent: (number: number) => join(dir, "extents", `0000000${number}.extent`),
    async verify() {
      const damaged: Damage[] = [];
      const verified = await verifyStorage({ location, dir, found: (one) => damaged.push(one) });
      return { verified, damaged };
    },
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}

async function flipBit(file: string, offset: number): Promise<void> {
  await using handle = await open(file, "r+");
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, offset);
  await handle.write(Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, offset);
}

suite("verifying all blobs", () => {
  test("finds nothing wrong with what was stored", async () => {
    await using blobs = await storedBlobs();
    const bytes = 13 + 630 * KIB;
    assert.deepEqual(await blobs.verify(), { verified: { records: 5, bytes }, damaged: [] });
  });

  test("names the run in which a bit is wrong, and reads what is sound", async () => {
    await using blobs = await storedBlobs();
    await blobs.verify();
    await flipBit(blobs.extent(1), 5);
    await flipBit(blobs.extent(2), 599 * KIB);
    const { damaged } = await blobs.verify();
    const what = { account: ACCOUNT, container: "data", snapshot: "" };
    assert.deepEqual(damaged, [
      { ...what, blob: "log", start: 4, length: 4, reason: holdsOther(1, 4) },
      { ...what, blob: "large", start: 0, length: 600 * KIB, reason: holdsOther(2, 0) },
    ]);

    const storage = await startStorage(blobs.options);
    const log = await send(storage, "data/log", { method: "GET" });
    assert.deepEqual([log.status, log.code], [500, "InternalError"]);
    await assert.rejects(send(storage, "data/large", { method: "GET" }));
    const sound = await send(storage, "data/sound", { method: "GET" });
    assert.ok(sound.bytes.equals(blobs.sound));
    await storage.stop();
  });

  test("names the runs that a truncated extent lacks", async () => {
    await using blobs = await storedBlobs();
    await blobs.verify();
    await truncate(blobs.extent(1), 6);
    const { damaged } = await blobs.verify();
    assert.deepEqual(
      damaged.map(({ blob, start, reason }) => [blob, start, reason]),
      [
        ["log", 4, "Extent 1 cannot be read at offset 6: the file ends there."],
        ["log", 8, "Extent 1 cannot be read at offset 8: the file ends there."],
      ],
    );

    const storage = await startStorage(blobs.options);
    const log = await send(storage, "data/log", { method: "GET" });
    assert.deepEqual([log.status, log.code], [500, "InternalError"]);
    const start = { method: "GET", headers: { "x-svc-range": "bytes=0-3" } } as const;
    assert.equal((await send(storage, "data/log", start)).text, "one ");
    const sound = await send(storage, "data/sound", { method: "GET" });
    assert.ok(sound.bytes.equals(blobs.sound));
    await createAppendBlob(storage, "data/next");
    const appended = await send(storage, "data/next?comp=appendblock", { body: "goes on" });
    const next = await send(storage, "data/next", { method: "GET" });
    assert.deepEqual([appended.status, next.text], [201, "goes on"]);
    await storage.stop();
  });
});

suite("a blob that is longer than its records", () => {
  test("is named, and its missing end refused rather than waited for", async () => {
    await using blobs = await storedBlobs();
    const { location } = blobs.options;
    const store = await openStore<StorageTables>({ location, migrations });
    await store.write((db) =>
      db.updateTable("blob").set({ length: 20 }).where("name", "=", "log").execute(),
    );
    await store.close();
    const what = { account: ACCOUNT, container: "data", snapshot: "", blob: "log" };
    const reason = "The blob has 20 bytes, and records of 13 of them.";
    const { damaged } = await blobs.verify();
    assert.deepEqual(damaged, [{ ...what, start: 13, length: 7, reason }]);

    const storage = await startStorage(blobs.options);
    const read = async (range: string) => {
      const headers = { "x-svc-range": range };
      return (await send(storage, "data/log", { method: "GET", headers })).status;
    };
    assert.deepEqual([await read("bytes=13-"), await read("bytes=8-12")], [500, 206]);
    assert.equal((await send(storage, "data/log", { method: "GET" })).status, 500);
    await storage.stop();
  });
});

function holdsOther(extent: number, offset: number): string {
  return `Extent ${extent} holds other bytes at offset ${offset}.`;
}
