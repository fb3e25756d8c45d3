import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { ACCOUNT, send, startStorage, type TestStorage } from "../storage.fixture.ts";
import { keyHeaders } from "./encryption.fixture.ts";

const LINE = "a line of another server";
const LIMIT_MS = 10_000;
const SCOPES =
  "/subscriptions/s1/resourceGroups/local/providers/Svc.Storage/storageAccounts/" +
  `${ACCOUNT}/encryptionScopes`;
const SCOPE = { "x-svc-encryption-scope": "scope-one" };
const KEY = keyHeaders(Buffer.alloc(32, 1));

type Headers = Readonly<Record<string, string>>;

suite("what comes from another server", () => {
  let storage: TestStorage;
  let server: Server;
  let url = "";
  before(async () => {
    storage = await startStorage({ decide: () => true });
    const headers = { authorization: "Bearer t.reader" };
    const scope = `${SCOPES}/scope-one?api-version=2025-01-01`;
    await storage.gateway.inject({ method: "PUT", url: scope, headers, body: {} });
    await send(storage, "all?restype=container");
    server = createServer((_request, response) => response.end(LINE)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/a`;
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await storage.stop();
  });

  const put = (path: string, headers: Headers) =>
    send(storage, `all/${path}`, { headers: { "x-svc-copy-source": url, ...headers } });
  const get = (name: string, headers: Headers = {}) =>
    send(storage, `all/${name}`, { method: "GET", headers });

  test("is encrypted before it is on the disk", async () => {
    const append = { "x-svc-blob-type": "AppendBlob" };
    await send(storage, "all/log", { headers: { ...append, ...KEY } });
    await put("log?comp=appendblock", KEY);
    assert.equal((await get("log", KEY)).text, LINE);
    await put("put", { "x-svc-blob-type": "BlockBlob", ...KEY });
    assert.equal((await get("put", KEY)).text, LINE);
    await put("synced", { "x-svc-requires-sync": "true", ...SCOPE });
    assert.equal((await get("synced")).text, LINE);

    await put("later", SCOPE);
    const deadline = performance.now() + LIMIT_MS;
    const status = async () => (await get("later")).headers["x-svc-copy-status"];
    while ((await status()) === "pending" && performance.now() < deadline) await wait(10);
    const { text, headers } = await get("later");
    assert.deepEqual(
      [text, headers["x-svc-encryption-scope"], headers["x-svc-copy-status"]],
      [LINE, "scope-one", "success"],
    );
    const bytes = await readFile(join(storage.dir, "extents", "00000001.extent"), "latin1");
    assert.equal(bytes.length, 4 * LINE.length);
    assert.equal(bytes.includes("another"), false);
  });
});
