import assert from "node:assert/strict";
import { mkdtempDisposable, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { suite, test } from "node:test";
import { openExtentFiles } from "./extent-files.ts";
import { restoreBytes } from "./restore-bytes.ts";

const LONG = Buffer.alloc(17 * 1024);

async function openFolder() {
  const folder = await mkdtempDisposable(join(tmpdir(), "atoll-blocks-"));
  const store = await openExtentFiles({ dir: folder.path });
  return {
    dir: folder.path,
    store,
    put: (content: string | Buffer) => {
      const bytes = Buffer.from(content);
      return store.write(bytes, { length: bytes.length, md5: false });
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      await folder.remove();
    },
  };
}

suite("bytes that are not synced", () => {
  test("are told once, those side by side as one", async () => {
    await using folder = await openFolder();
    await Promise.all(["one ", "two ", "three"].map(folder.put));
    const bytes = Buffer.from("one two three");
    assert.deepEqual(folder.store.takeUnsynced(), [{ extent: 1, offset: 0, bytes }]);
    assert.deepEqual(folder.store.takeUnsynced(), []);
    await folder.put("four");
    const later = { extent: 1, offset: 13, bytes: Buffer.from("four") };
    assert.deepEqual(folder.store.takeUnsynced(), [later]);
  });

  test("need a sync when they are long, and while they are being synced", async () => {
    await using folder = await openFolder();
    await folder.put("short");
    await folder.put(LONG);
    assert.equal(folder.store.takeUnsynced(), undefined);
    const synced = folder.store.sync();
    assert.equal(folder.store.takeUnsynced(), undefined);
    await synced;
    assert.deepEqual(folder.store.takeUnsynced(), []);
  });

  test("need a sync when there are too many of them", async () => {
    await using folder = await openFolder();
    const pieces = Array.from({ length: 70 }, () => folder.put(LONG.subarray(0, 16 * 1024)));
    await Promise.all(pieces);
    assert.equal(folder.store.takeUnsynced(), undefined);
  });

  test("are restored where a crash has left them out, file and all", async () => {
    await using folder = await openFolder();
    const written = [await folder.put("one "), await folder.put("two")];
    const unsynced = folder.store.takeUnsynced() ?? [];
    await rm(join(folder.dir, "00000001.extent"));
    await restoreBytes(folder.dir, unsynced);
    await restoreBytes(folder.dir, unsynced);
    const again = await openExtentFiles({ dir: folder.dir });
    assert.equal(await text(again.read(written)), "one two");
    const next = await again.write(Buffer.from("!"), { length: 1, md5: false });
    assert.equal(next.offset, 7);
    await again.close();
  });
});
