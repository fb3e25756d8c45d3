import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempDisposable, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { openExtentFiles } from "#engines/blocks/extent-files.ts";
import { openStore } from "#platform/store/open-store.ts";
import {
  ACCOUNT,
  createAppendBlob,
  ORIGIN,
  send,
  startStorage,
  type TestStorage,
} from "../storage.fixture.ts";
import { migrations, type StorageTables } from "../store.ts";
import { createGarbage } from "./garbage.ts";
import { createInFlight } from "./in-flight.ts";

const KIB = 1024;
const EXTENT_BYTES_MAX = 64 * KIB;
const LIMIT_MS = 10_000;
const BLOCK_BLOB = { "x-svc-blob-type": "BlockBlob" };

async function becomes(wanted: number, count: () => Promise<number>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while ((await count()) !== wanted && performance.now() < deadline) await wait(10);
  assert.equal(await count(), wanted);
}

async function extentsIn(dir: string): Promise<number> {
  return (await readdir(join(dir, "extents"))).length;
}

async function put(storage: TestStorage, name: string, body: Uint8Array): Promise<void> {
  const { status } = await send(storage, name, { headers: BLOCK_BLOB, body });
  assert.equal(status, 201);
}

async function remove(storage: TestStorage, name: string): Promise<void> {
  assert.equal((await send(storage, name, { method: "DELETE" })).status, 202);
}

async function appendFrom(storage: TestStorage, name: string, source: string): Promise<void> {
  const headers = { "x-svc-copy-source": `${ORIGIN}/${ACCOUNT}/${source}` };
  const { status } = await send(storage, `${name}?comp=appendblock`, { headers });
  assert.equal(status, 201);
}

async function startSmall(): Promise<TestStorage> {
  const storage = await startStorage({ extentBytesMax: EXTENT_BYTES_MAX });
  await send(storage, "data?restype=container", {
    headers: { "x-svc-blob-public-access": "blob" },
  });
  return storage;
}

suite("the space of what is deleted", () => {
  test("is given back, except where others refer to it", async () => {
    const storage = await startSmall();
    const body = randomBytes(40 * KIB);
    const names = ["data/a", "data/b", "data/c", "data/d"];
    for (const name of names) await put(storage, name, body);
    await createAppendBlob(storage, "data/copy");
    await appendFrom(storage, "data/copy", "data/b");
    for (const name of names) await remove(storage, name);
    // The one that is copied, and the one that is written to.
    await becomes(2, () => extentsIn(storage.dir));
    const { bytes } = await send(storage, "data/copy", { method: "GET" });
    assert.ok(bytes.equals(body));
    await storage.stop();
  });

  test("is given back after a restart, as is that of uploads that broke off", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-storage-"));
    const location = { kind: "sqlite", file: join(folder.path, "storage.db") } as const;
    const options = { dir: folder.path, location, extentBytesMax: EXTENT_BYTES_MAX };
    const first = await startStorage(options);
    await send(first, "data?restype=container");
    for (const name of ["data/a", "data/b"]) await put(first, name, randomBytes(40 * KIB));
    await first.stop();
    // What an upload leaves that broke off: bytes to which no record refers. The last extent stays.
    const dir = join(folder.path, "extents");
    const blocks = await openExtentFiles({ dir, extentBytesMax: EXTENT_BYTES_MAX });
    const length = 60 * KIB;
    for (const _ of ["full", "last"]) {
      await blocks.write(randomBytes(length), { length, md5: false });
    }
    await blocks.sync();
    await blocks.close();
    assert.equal(await extentsIn(folder.path), 4);
    const second = await startStorage(options);
    await becomes(3, () => extentsIn(folder.path));
    await second.stop();
  });

  test("is never taken from writers that copy what others delete", async () => {
    const storage = await startSmall();
    const workers = Array.from({ length: 6 }, async (_, worker) => {
      const log = `data/log${worker}`;
      await createAppendBlob(storage, log);
      const expected: Buffer[] = [];
      for (let round = 0; round < 20; round += 1) {
        const body = randomBytes(2 * KIB + ((round * 977 + worker * 31) % (30 * KIB)));
        const source = `data/source${worker}-${round}`;
        await put(storage, source, body);
        // The copy may still be under way while its source is deleted.
        const copied = appendFrom(storage, log, source);
        if (round % 2 === 0) await copied;
        const whole = await send(storage, log, { method: "GET" });
        assert.equal(whole.status, 200);
        await copied;
        await remove(storage, source);
        expected.push(body);
      }
      const { bytes } = await send(storage, log, { method: "GET" });
      assert.ok(bytes.equals(Buffer.concat(expected)));
      await remove(storage, log);
    });
    await Promise.all(workers);
    await becomes(1, () => extentsIn(storage.dir));
    await storage.stop();
  });

  test("stays while a request is under way that may refer to it", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-storage-"));
    const dir = join(folder.path, "extents");
    const blocks = await openExtentFiles({ dir, extentBytesMax: EXTENT_BYTES_MAX });
    const store = await openStore<StorageTables>({ location: { kind: "memory" }, migrations });
    const inFlight = createInFlight();
    const errors: unknown[] = [];
    let looks = 0;
    const watched = {
      ...inFlight,
      ended() {
        const ended = inFlight.ended();
        looks += 1;
        return ended;
      },
    };
    const garbage = createGarbage({
      store,
      blocks,
      inFlight: watched,
      failed: (error) => errors.push(error),
    });
    const length = 60 * KIB;
    for (const _ of ["full", "current"]) {
      await blocks.write(Buffer.alloc(length), { length, md5: false });
    }
    await blocks.sync();
    const ended = inFlight.begin();
    garbage.collectSoon();
    await becomes(1, async () => looks);
    // A request that begins later cannot hold it.
    inFlight.begin();
    assert.equal(await extentsIn(folder.path), 2);
    ended();
    await becomes(1, () => extentsIn(folder.path));
    await garbage.stop();
    assert.deepEqual(errors, []);
    await blocks.close();
    await store.close();
  });
});
