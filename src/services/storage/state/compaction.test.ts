import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempDisposable, readdir, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { openExtentFiles } from "#engines/blocks/extent-files.ts";
import { openStore } from "#platform/store/open-store.ts";
import { clearPages, createPageBlob, PAGE } from "../page-blobs/page-blobs.fixture.ts";
import {
  ACCOUNT,
  createAppendBlob,
  ORIGIN,
  send,
  startStorage,
  type TestStorage,
} from "../storage.fixture.ts";
import { migrations, type StorageTables } from "../store.ts";
import { verifyStorage } from "../verify.ts";
import { compactExtent } from "./compaction.ts";
import { createInFlight } from "./in-flight.ts";

const KIB = 1024;
const EXTENT_BYTES_MAX = 64 * KIB;
const LIMIT_MS = 20_000;
const BLOCK_BLOB = { "x-svc-blob-type": "BlockBlob" };
const PUBLIC = { "x-svc-blob-public-access": "blob" };

const KEY = Buffer.alloc(32, 7);
const KEY_HEADERS = {
  "x-svc-encryption-key": KEY.toString("base64"),
  "x-svc-encryption-key-sha256": createHash("sha256").update(KEY).digest("base64"),
  "x-svc-encryption-algorithm": "AES256",
};

async function becomes(wanted: number, count: () => Promise<number>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while ((await count()) > wanted && performance.now() < deadline) await wait(20);
  assert.ok((await count()) <= wanted, `there are ${await count()}, not ${wanted}`);
}

async function extentsIn(dir: string): Promise<number> {
  return (await readdir(join(dir, "extents"))).length;
}

async function put(storage: TestStorage, name: string, body: Uint8Array, headers = {}) {
  const { status } = await send(storage, name, { headers: { ...BLOCK_BLOB, ...headers }, body });
  assert.equal(status, 201);
}

async function bytesOf(storage: TestStorage, name: string, headers = {}): Promise<Buffer> {
  const { status, bytes } = await send(storage, name, { method: "GET", headers });
  assert.equal(status, 200);
  return bytes;
}

suite("extents of which little is in use", () => {
  test("are emptied: whoever was there is read as before, after a restart too", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-storage-"));
    const location = { kind: "sqlite", file: join(folder.path, "storage.db") } as const;
    const options = { dir: folder.path, location, extentBytesMax: EXTENT_BYTES_MAX };
    const first = await startStorage(options);
    await send(first, "data?restype=container", { headers: PUBLIC });
    await createAppendBlob(first, "data/log");
    await createPageBlob(first, "data/disk", 64);
    const expected = new Map<string, Buffer>();
    const log: Buffer[] = [];
    for (let round = 0; round < 8; round += 1) {
      // Most of each extent belongs to what is deleted.
      await put(first, `data/gone${round}`, randomBytes(40 * KIB));
      const [kept, sealed, crumb] = [randomBytes(3 * KIB), randomBytes(2 * KIB), randomBytes(100)];
      await put(first, `data/kept${round}`, kept);
      await put(first, `data/sealed${round}`, sealed, KEY_HEADERS);
      await send(first, "data/log?comp=appendblock", { body: crumb });
      const range = `bytes=${round * 8 * PAGE}-${(round * 8 + 6) * PAGE - 1}`;
      const write = { "x-svc-page-write": "update", range };
      await send(first, "data/disk?comp=page", { headers: write, body: randomBytes(6 * PAGE) });
      await clearPages(first, "data/disk", round * 8 + 2);
      expected.set(`data/kept${round}`, kept);
      log.push(crumb);
    }
    // A copy of a part refers to the middle of a record.
    const copySource = `${ORIGIN}/${ACCOUNT}/data/kept3`;
    const copy = { "x-svc-copy-source": copySource, "x-svc-source-range": "bytes=100-299" };
    await send(first, "data/log?comp=appendblock", { headers: copy });
    log.push((expected.get("data/kept3") ?? Buffer.alloc(0)).subarray(100, 300));
    expected.set("data/log", Buffer.concat(log));
    expected.set("data/disk", await bytesOf(first, "data/disk"));
    const sealed = await bytesOf(first, "data/sealed2", KEY_HEADERS);
    const before = await extentsIn(folder.path);
    for (let round = 0; round < 8; round += 1) {
      await send(first, `data/gone${round}`, { method: "DELETE" });
    }
    await becomes(Math.ceil(before / 3), () => extentsIn(folder.path));

    const same = async (storage: TestStorage) => {
      for (const [name, bytes] of expected) assert.ok((await bytesOf(storage, name)).equals(bytes));
      assert.ok((await bytesOf(storage, "data/sealed2", KEY_HEADERS)).equals(sealed));
    };
    await same(first);
    await first.stop();
    const damages: unknown[] = [];
    const found = (damage: unknown) => damages.push(damage);
    await verifyStorage({ location, dir: folder.path, found });
    assert.deepEqual(damages, []);
    const second = await startStorage(options);
    await same(second);
    await second.stop();
  });

  test("are never taken from those who read, copy and write meanwhile", async () => {
    const storage = await startStorage({ extentBytesMax: EXTENT_BYTES_MAX });
    await send(storage, "data?restype=container", { headers: PUBLIC });
    const until = performance.now() + 3000;
    const workers = Array.from({ length: 4 }, async (_, worker) => {
      const kept = randomBytes(2 * KIB);
      const log = `data/log${worker}`;
      await put(storage, `data/kept${worker}`, kept);
      await createAppendBlob(storage, log);
      const copySource = `${ORIGIN}/${ACCOUNT}/data/kept${worker}`;
      const headers = { "x-svc-copy-source": copySource };
      let copies = 0;
      while (performance.now() < until) {
        await put(storage, `data/gone${worker}`, randomBytes(20 * KIB));
        if (copies < 50) {
          const { status } = await send(storage, `${log}?comp=appendblock`, { headers });
          assert.equal(status, 201);
          copies += 1;
        }
        assert.ok((await bytesOf(storage, `data/kept${worker}`)).equals(kept));
      }
      await send(storage, `data/gone${worker}`, { method: "DELETE" });
      const whole = Buffer.concat(Array.from({ length: copies }, () => kept));
      assert.ok((await bytesOf(storage, log)).equals(whole));
    });
    await Promise.all(workers);
    await becomes(3, () => extentsIn(storage.dir));
    await storage.stop();
  });

  test("stay where they cannot be read, or blocks in them wait", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-storage-"));
    const blocks = await openExtentFiles({ dir: folder.path, extentBytesMax: EXTENT_BYTES_MAX });
    const store = await openStore<StorageTables>({ location: { kind: "memory" }, migrations });
    const [emptied, failed] = [() => {}, () => {}];
    const options = { store, blocks, inFlight: createInFlight(), emptied, failed };
    const write = (length: number) => blocks.write(randomBytes(length), { length, md5: false });
    const piece = await write(KIB);
    await write(60 * KIB);
    await write(KIB + 60 * KIB);
    await blocks.sync();
    const place = { extent: piece.extent, extentOffset: piece.offset, length: KIB };
    const stored = { ...place, crc64: piece.crc64, nonce: null };
    const row = { ...stored, blobId: 1, start: 0, blockId: null, pageCrcs: null };
    await store.write((transaction) => transaction.insertInto("block").values(row).execute());
    const encryption = { encryptionScope: null, encryptionKeySha256: null };
    const block = { id: 2, piece: 0, generation: 3, blockId: "YQ==" };
    const staged = { ...stored, ...encryption, ...block };
    await store.write((tx) => tx.insertInto("stagedBlock").values(staged).execute());
    assert.equal(await compactExtent(options, piece.extent), false);
    await store.write((transaction) => transaction.deleteFrom("stagedBlock").execute());
    await truncate(join(folder.path, "00000001.extent"), 5);
    const behind = { extentOffset: 10, length: 2 };
    await store.write((tx) => tx.updateTable("block").set(behind).execute());
    assert.equal(await compactExtent(options, piece.extent), false);
    await store.write((tx) => tx.updateTable("block").set({ extentOffset: 0 }).execute());
    assert.equal(await compactExtent(options, piece.extent), true);
    assert.equal(await compactExtent(options, piece.extent), false);
    await blocks.close();
    await store.close();
  });
});
