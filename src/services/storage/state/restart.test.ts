import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { send, startStorage } from "../storage.fixture.ts";

const LIMIT_MS = 10_000;

suite("a restart in the middle of a longer piece of work", () => {
  test("keeps waiting blocks and snapshots, and goes on with copies", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-storage-"));
    const endless = createServer((_request, response) => response.write("never done"));
    endless.listen(0, "127.0.0.1");
    await once(endless, "listening");
    const address = endless.address();
    const source = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/a`;
    const location = { kind: "sqlite", file: join(folder.path, "storage.db") } as const;
    const options = { dir: folder.path, location };

    const first = await startStorage(options);
    await send(first, "box?restype=container");
    await send(first, "box/a?comp=block&blockid=YQ%3D%3D", { body: "block" });
    const headers = { "x-svc-blob-type": "BlockBlob" };
    await send(first, "box/b", { headers, body: "old" });
    const taken = await send(first, "box/b?comp=snapshot");
    await send(first, "box/b", { headers, body: "new" });
    await send(first, "box/c", { headers: { "x-svc-copy-source": source } });
    await first.stop();
    endless.closeAllConnections();
    endless.close();

    const second = await startStorage(options);
    const read = async (path: string) => (await send(second, path, { method: "GET" })).text;
    const body = "<BlockList><Uncommitted>YQ==</Uncommitted></BlockList>";
    assert.equal((await send(second, "box/a?comp=blocklist", { body })).status, 201);
    const past = `box/b?snapshot=${String(taken.headers["x-svc-snapshot"])}`;
    assert.deepEqual([await read("box/a"), await read(past)], ["block", "old"]);
    const again = await send(second, "box/b?comp=snapshot");
    assert.ok(String(again.headers["x-svc-snapshot"]) > String(taken.headers["x-svc-snapshot"]));
    // The copy goes on, and finds that its source is gone.
    const deadline = performance.now() + LIMIT_MS;
    let status: unknown = "pending";
    while (status === "pending" && performance.now() < deadline) {
      status = (await send(second, "box/c", { method: "HEAD" })).headers["x-svc-copy-status"];
      await wait(10);
    }
    assert.equal(status, "failed");
    await second.stop();
  });
});
