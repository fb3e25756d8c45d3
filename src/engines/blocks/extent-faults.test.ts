import assert from "node:assert/strict";
import { mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { suite, test, type TestContext } from "node:test";
import { BlockReadError, BlockSyncError, type BlockStore } from "./block-store.ts";
import { openExtentFiles } from "./extent-files.ts";

const hello = Buffer.from("hello");

/** A store whose first extent is what `place` puts there. */
async function storeOn(t: TestContext, place?: (file: string) => Promise<void>) {
  const dir = await mkdtemp(join(tmpdir(), "atoll-blocks-"));
  const file = join(dir, "00000001.extent");
  await place?.(file);
  const store = await openExtentFiles({ dir });
  t.after(async () => {
    await store.close();
    await rm(dir, { recursive: true });
  });
  return { file, store };
}

function put(store: BlockStore, bytes: Uint8Array) {
  return store.write(bytes, { length: bytes.length, md5: false });
}

function get(store: BlockStore, offset: number, length: number): Promise<string> {
  return text(store.read([{ extent: 1, offset, length }]));
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function* giveUp(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(hello);
  throw new Error("The client went away.");
}

suite("a write that fails", () => {
  test("says how many bytes were announced and how many came", async (t) => {
    const { store } = await storeOn(t);
    const wrong = { name: "BlockLengthError" };
    await assert.rejects(store.write(hello, { length: 6, md5: false }), {
      ...wrong,
      message: "The source announced 6 bytes and gave 5.",
    });
    await assert.rejects(store.write(hello, { length: 4, md5: true }), {
      ...wrong,
      message: "The source announced 4 bytes and gave at least 5.",
    });
    await assert.rejects(store.write(hello, { length: -1, md5: false }), {
      ...wrong,
      message: "A source cannot announce -1 bytes.",
    });
  });

  test("with its source hands on the source's error and disturbs nobody", async (t) => {
    const { store } = await storeOn(t);
    const [failed, written] = await Promise.all([
      failure(store.write(giveUp(), { length: 2 ** 20, md5: false })),
      put(store, hello),
    ]);
    assert.deepEqual(failed, new Error("The client went away."));
    await store.sync();
    assert.equal(await get(store, written.offset, 5), "hello");
  });

  test("on a full disk says so, and the store goes on", async (t) => {
    const { store } = await storeOn(t, (file) => symlink("/dev/full", file));
    await assert.rejects(put(store, hello), { code: "ENOSPC" });
    await store.sync();
  });
});

suite("a sync that fails", () => {
  test("fails everyone who waits and everything after it", async (t) => {
    // The null device takes every byte and cannot sync.
    const { store } = await storeOn(t, (file) => symlink("/dev/null", file));
    await put(store, hello);
    const waiting = [store.sync(), store.sync(), store.sync()];
    const errors = await Promise.all(waiting.map(failure));
    for (const error of errors) {
      assert.ok(error instanceof BlockSyncError);
      assert.deepEqual(error, errors[0]);
    }
    await assert.rejects(put(store, hello), BlockSyncError);
    await assert.rejects(store.sync(), BlockSyncError);
  });

  test("is not forgotten when it was one ahead of the end of a long write", async (t) => {
    const { store } = await storeOn(t, (file) => symlink("/dev/null", file));
    async function* long() {
      for (let chunk = 0; chunk < 40; chunk += 1) yield Buffer.alloc(2 ** 18);
    }
    await store.write(long(), { length: 40 * 2 ** 18, md5: false });
    await assert.rejects(store.sync(), BlockSyncError);
    await assert.rejects(put(store, hello), BlockSyncError);
  });
});

suite("a read that fails", () => {
  test("names the extent and the first byte that is missing", async (t) => {
    const { file, store } = await storeOn(t);
    await put(store, Buffer.alloc(1000, "x"));
    await store.sync();
    await truncate(file, 700);
    assert.equal(await get(store, 600, 100), "x".repeat(100));
    const error = await failure(get(store, 600, 200));
    assert.ok(error instanceof BlockReadError);
    assert.equal(error.message, "Extent 1 cannot be read at offset 700: the file ends there.");
    assert.deepEqual([error.extent, error.offset], [1, 700]);
  });

  test("finds the file once it is back", async (t) => {
    const { file, store } = await storeOn(t);
    await assert.rejects(get(store, 2, 3), { name: "BlockReadError", extent: 1, offset: 2 });
    await writeFile(file, hello);
    assert.equal(await get(store, 2, 3), "llo");
  });
});

suite("a store that is closed", () => {
  test("takes, syncs and reads nothing", async (t) => {
    const { store } = await storeOn(t);
    await put(store, hello);
    await store.sync();
    await get(store, 0, 5);
    await store.close();
    const closed = { name: "BlockStoreClosedError" };
    await assert.rejects(put(store, hello), closed);
    await assert.rejects(store.sync(), closed);
    await assert.rejects(get(store, 0, 5), closed);
  });

  test("refuses what still streams", async (t) => {
    const { store } = await storeOn(t);
    const more = Promise.withResolvers<Uint8Array>();
    async function* slow() {
      yield hello;
      yield await more.promise;
    }
    const writing = failure(store.write(slow(), { length: 10, md5: false }));
    await put(store, hello);
    await store.close();
    more.resolve(hello);
    assert.deepEqual(String(await writing), "BlockStoreClosedError: The block store is closed.");
  });
});
