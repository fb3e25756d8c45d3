import assert from "node:assert/strict";
import { mkdir, mkdtemp, mkdtempDisposable, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import type { BlockStore } from "#engines/blocks/block-store.ts";
import { ACCOUNT, createAppendBlob, ORIGIN, send, startStorage } from "../storage.fixture.ts";

suite("a restart", () => {
  test("keeps what was acknowledged, and goes on from there", async () => {
    const dir = await mkdtemp(join(tmpdir(), "atoll-storage-"));
    const location = { kind: "sqlite", file: join(dir, "storage.db") } as const;
    const first = await startStorage({ dir, location });
    await createAppendBlob(first, "logs/a");
    await send(first, "logs/a?comp=appendblock", { body: "one " });
    const source = { "x-svc-copy-source": `${ORIGIN}/${ACCOUNT}/logs/a?` };
    await send(first, "logs?restype=container", { method: "DELETE" });
    await createAppendBlob(first, "logs/a");
    const appended = await send(first, "logs/a?comp=appendblock", { body: "two " });
    assert.equal((await send(first, "logs/a?comp=appendblock", { headers: source })).status, 401);
    await first.stop();

    const second = await startStorage({ dir, location });
    const { text, headers } = await send(second, "logs/a", { method: "GET" });
    assert.deepEqual([text, headers["etag"]], ["two ", appended.headers["etag"]]);
    const next = await send(second, "logs/a?comp=appendblock", { body: "three" });
    const { headers: got } = next;
    assert.deepEqual(
      [got["x-svc-blob-append-offset"], got["x-svc-blob-committed-block-count"]],
      ["4", "2"],
    );
    assert.ok(String(got["etag"]) > String(appended.headers["etag"]));
    assert.equal((await send(second, "logs/a", { method: "GET" })).text, "two three");
    await second.stop();
    await rm(dir, { recursive: true });
  });
});

suite("a disk that is full", () => {
  test("refuses bytes for the time being, and everything else goes on", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-storage-"));
    await mkdir(join(folder.path, "extents"));
    await symlink("/dev/full", join(folder.path, "extents", "00000001.extent"));
    const storage = await startStorage({ dir: folder.path });
    await createAppendBlob(storage, "logs/a");
    for (const body of ["x", "x".repeat(100_000)]) {
      const { status, code, text } = await send(storage, "logs/a?comp=appendblock", { body });
      assert.deepEqual([status, code], [503, "ServerBusy"]);
      assert.match(text, /The disk is full and nothing was changed/);
    }
    const metadata = { headers: { "x-svc-meta-a": "1" } };
    assert.equal((await send(storage, "logs/a?comp=metadata", metadata)).status, 200);
    const { headers } = await send(storage, "logs/a", { method: "HEAD" });
    assert.deepEqual([headers["content-length"], headers["x-svc-meta-a"]], ["0", "1"]);
    await storage.stop();
  });
});

suite("a disk that fails", () => {
  test("acknowledges nothing any more and shows what was there before", async () => {
    const dir = await mkdtemp(join(tmpdir(), "atoll-storage-"));
    let broken = false;
    const wrapBlocks = (files: BlockStore): BlockStore => ({
      ...files,
      takeUnsynced: () => undefined,
      sync: async () => {
        if (broken) throw new Error("The disk is gone.");
        await files.sync();
      },
    });
    const storage = await startStorage({ dir, wrapBlocks });
    await createAppendBlob(storage, "logs/a");
    const append = (body: string) => send(storage, "logs/a?comp=appendblock", { body });
    await append("before");
    broken = true;
    const answers = await Promise.all(["x", "y", "z"].map(append));
    assert.deepEqual(
      answers.map(({ status, code }) => [status, code]),
      answers.map(() => [500, "InternalError"]),
    );
    broken = false;
    const { status, text } = await append("after");
    assert.equal(status, 500);
    assert.match(text, /restart Atoll/);
    assert.equal((await send(storage, "logs/a", { method: "GET" })).text, "before");
    await storage.stop();
    await rm(dir, { recursive: true });
  });
});
