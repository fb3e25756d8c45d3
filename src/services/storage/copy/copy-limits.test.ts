import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { suite, test } from "node:test";
import { ACCOUNT, ORIGIN, send, startStorage } from "../storage.fixture.ts";

const MIB = 2 ** 20;
const COPIES_MAX = 64;

suite("limits of copies", () => {
  test("copies 256 MiB while the client waits, and any length otherwise", async () => {
    const storage = await startStorage();
    const headers = { "x-svc-blob-public-access": "blob" };
    await send(storage, "open?restype=container", { headers });
    const body = Buffer.alloc(4 * MIB, "a");
    await send(storage, "open/long?comp=block&blockid=YQ%3D%3D", { body });
    const source = { "x-svc-copy-source": `${ORIGIN}/${ACCOUNT}/open/long` };
    const sync = { ...source, "x-svc-requires-sync": "true" };
    const copyOf = async (count: number, sent: Record<string, string>) => {
      const latest = "<Latest>YQ==</Latest>".repeat(count);
      await send(storage, "open/long?comp=blocklist", { body: `<BlockList>${latest}</BlockList>` });
      const { status, code } = await send(storage, "open/copy", { headers: sent });
      return code === "" ? status : code;
    };
    assert.equal(await copyOf(64, sync), 202);
    assert.equal(await copyOf(65, sync), "RequestBodyTooLarge");
    assert.equal(await copyOf(65, source), 202);
    const range = { "x-svc-range": `bytes=${260 * MIB - 2}-` };
    const end = await send(storage, "open/copy", { method: "GET", headers: range });
    assert.equal(end.text, "aa");
    await storage.stop();
  });

  test("lets 64 copies run at a time", async () => {
    const storage = await startStorage();
    const endless = createServer((_request, response) => response.write("never done"));
    endless.listen(0, "127.0.0.1");
    await once(endless, "listening");
    const address = endless.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
    await send(storage, "box?restype=container");
    const copy = async (name: string) => {
      const { status } = await send(storage, `box/${name}`, {
        headers: { "x-svc-copy-source": url },
      });
      return status;
    };
    const names = Array.from({ length: COPIES_MAX }, (_, index) => `copy-${index}`);
    assert.deepEqual(new Set(await Promise.all(names.map(copy))), new Set([202]));
    assert.equal(await copy("another"), 503);
    const gone = await send(storage, "box/another", { method: "GET" });
    assert.equal(gone.code, "BlobNotFound");
    await storage.stop();
    endless.closeAllConnections();
    endless.close();
  });
});
