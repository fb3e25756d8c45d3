import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { cp, mkdtempDisposable, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import type { BlockStore } from "#engines/blocks/block-store.ts";
import { openExtentFiles } from "#engines/blocks/extent-files.ts";
import { openStore } from "#platform/store/open-store.ts";
import { createAppendBlob, send, startStorage } from "../storage.fixture.ts";
import { migrations, type StorageTables } from "../store.ts";
import { createFlush } from "./redo.ts";

/** Enough for several syncs of the extents. */
const APPENDS = 700;

suite("a power failure", () => {
  test("takes nothing that was acknowledged, synced in the extents or not", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-storage-"));
    const extents = join(folder.path, "extents");
    const disk = join(folder.path, "disk");
    let syncs = 0;
    const wrapBlocks = (files: BlockStore): BlockStore => ({
      ...files,
      async sync() {
        await files.sync();
        syncs += 1;
        await cp(extents, disk, { recursive: true });
      },
    });
    const options = {
      dir: folder.path,
      location: { kind: "sqlite", file: join(folder.path, "storage.db") },
    } as const;
    const first = await startStorage({ ...options, wrapBlocks });
    await createAppendBlob(first, "logs/a");
    const blocks = Array.from({ length: APPENDS }, (_, index) =>
      randomBytes((index * 37) % 16_000),
    );
    const bodies = blocks.filter(({ length }) => length > 0);
    for (const body of bodies) {
      assert.equal((await send(first, "logs/a?comp=appendblock", { body })).status, 201);
    }
    await first.stop();
    assert.ok(syncs > 1 && syncs < APPENDS / 50, `There were ${syncs} syncs.`);

    // What the page cache held beyond the last sync is gone.
    await rm(extents, { recursive: true });
    await cp(disk, extents, { recursive: true });
    const second = await startStorage(options);
    const { bytes } = await send(second, "logs/a", { method: "GET" });
    assert.ok(bytes.equals(Buffer.concat(bodies)));
    await second.stop();
  });
});

suite("bytes whose transaction failed", () => {
  test("are synced before anything refers to what was written with them", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-storage-"));
    const files = await openExtentFiles({ dir: folder.path });
    const location = { kind: "memory" } as const;
    const store = await openStore<StorageTables>({ location, migrations });
    let syncs = 0;
    const sync = async () => {
      syncs += 1;
      await files.sync();
    };
    const flush = createFlush(store, { ...files, sync });
    const nothing = async () => {};
    const write = () => files.write(randomBytes(100), { length: 100, md5: false });
    const redone = () => store.db.selectFrom("redo").select("id").execute();

    await write();
    await flush(nothing);
    assert.deepEqual([syncs, (await redone()).length], [0, 1]);
    await write();
    const full = () => Promise.reject(new Error("The disk is full."));
    await assert.rejects(flush(full), /The disk is full/);
    assert.deepEqual([syncs, (await redone()).length], [0, 1]);
    await flush(nothing);
    assert.deepEqual([syncs, (await redone()).length], [1, 0]);
    await write();
    await flush(nothing);
    assert.deepEqual([syncs, (await redone()).length], [1, 1]);
    await files.close();
    await store.close();
  });
});
