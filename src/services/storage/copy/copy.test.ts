import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { after, before, suite, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import {
  ACCOUNT,
  createAppendBlob,
  ORIGIN,
  send,
  startStorage,
  TOKENS,
  type TestStorage,
} from "../storage.fixture.ts";

const BLOCK_BLOB = { "x-svc-blob-type": "BlockBlob" };
const POLLS_MAX = 500;

suite("copies", () => {
  let storage: TestStorage;
  let foreign: Server;
  let foreignUrl = "";
  before(async () => {
    storage = await startStorage();
    const open = { "x-svc-blob-public-access": "blob" };
    await send(storage, "open?restype=container", { headers: open });
    await send(storage, "box?restype=container");
    const properties = { "x-svc-blob-content-type": "text/x", "x-svc-meta-from": "source" };
    const headers = { ...BLOCK_BLOB, ...properties };
    await send(storage, "open/source", { headers, body: "content" });
    await send(storage, "box/secret", { headers, body: "secret" });
    foreign = createServer((request, response) => {
      if (request.url === "/missing") return response.writeHead(404).end();
      response.writeHead(200, { "content-type": "text/foreign", "x-svc-meta-far": "1" });
      if (request.url === "/endless") return response.write("never done");
      return response.end("from afar");
    });
    foreign.listen(0, "127.0.0.1");
    await once(foreign, "listening");
    const address = foreign.address();
    foreignUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  });
  after(async () => {
    await storage.stop();
    foreign.closeAllConnections();
    foreign.close();
  });

  const own = (path: string) => `${ORIGIN}/${ACCOUNT}/${path}`;
  const copy = (path: string, source: string, headers = {}) =>
    send(storage, path, { headers: { "x-svc-copy-source": source, ...headers } });
  const code = async (path: string, source: string, headers = {}) => {
    const { status, code: said } = await copy(path, source, headers);
    return said === "" ? status : said;
  };
  const get = (path: string) => send(storage, path, { method: "GET" });
  const settled = async (path: string) => {
    for (let poll = 0; poll < POLLS_MAX; poll += 1) {
      const { headers } = await send(storage, path, { method: "HEAD" });
      if (headers["x-svc-copy-status"] !== "pending") return headers;
      await wait(10);
    }
    throw new Error("The copy is still pending.");
  };

  test("within the store are done at once, with properties and metadata", async () => {
    const made = await copy("box/copy", own("open/source"));
    assert.deepEqual([made.status, made.headers["x-svc-copy-status"]], [202, "success"]);
    const { text, headers } = await get("box/copy");
    const names = ["content-type", "x-svc-meta-from", "x-svc-copy-id", "x-svc-copy-status"];
    assert.deepEqual(
      [text, headers["etag"], ...names.map((name) => headers[name])],
      [
        "content",
        made.headers["etag"],
        "text/x",
        "source",
        made.headers["x-svc-copy-id"],
        "success",
      ],
    );
    assert.equal(headers["x-svc-copy-source"], own("open/source"));
    assert.equal(headers["x-svc-copy-progress"], "7/7");
    await copy("box/copy", own("open/source"), { "x-svc-meta-own": "1" });
    const { headers: again } = await get("box/copy");
    assert.deepEqual([again["x-svc-meta-own"], again["x-svc-meta-from"]], ["1", undefined]);
  });

  test("share the bytes, so they outlive their source, and may replace it", async () => {
    await createAppendBlob(storage, "box/log");
    for (const body of ["ab", "cd"]) await send(storage, "box/log?comp=appendblock", { body });
    assert.equal(await code("box/log2", own("box/log")), 202);
    await send(storage, "box/log2?comp=appendblock", { body: "ef" });
    assert.equal(await code("box/log2", own("box/log2")), 202);
    await send(storage, "box/log", { method: "DELETE" });
    const { text, headers } = await get("box/log2");
    assert.deepEqual([text, headers["x-svc-blob-committed-block-count"]], ["abcdef", "3"]);
    const snapshot = await send(storage, "box/log2?comp=snapshot");
    await send(storage, "box/log2?comp=appendblock", { body: "gh" });
    const past = `${own("box/log2")}?snapshot=${String(snapshot.headers["x-svc-snapshot"])}`;
    assert.equal(await code("box/log2", past), 202);
    assert.equal((await get("box/log2")).text, "abcdef");
  });

  test("read as who asks in the background, and by the source's own right otherwise", async () => {
    const sync = { "x-svc-requires-sync": "true" };
    assert.equal(await code("box/mine", own("box/secret")), 202);
    assert.equal(await code("box/mine", own("box/secret"), sync), "CannotVerifyCopySource");
    const bearer = { "x-svc-copy-source-authorization": `Bearer ${TOKENS["reader"] ?? ""}` };
    assert.equal(await code("box/mine", own("box/secret"), { ...sync, ...bearer }), 202);
    assert.equal((await get("box/mine")).text, "secret");
  });

  test("are refused by conditions, types and missing sources, changing nothing", async () => {
    await createAppendBlob(storage, "box/append");
    const source = own("open/source");
    assert.equal(await code("box/append", source), "InvalidBlobType");
    assert.equal(await code("box/none", own("open/missing")), "CannotVerifyCopySource");
    const other = { "x-svc-source-if-match": '"0x1"' };
    assert.equal(await code("box/none", source, other), "SourceConditionNotMet");
    const target = { "if-match": '"0x1"' };
    assert.equal(await code("box/append", source, target), "TargetConditionNotMet");
    const sync = { "x-svc-requires-sync": "true" };
    assert.equal(await code("box/none", own("box/append"), sync), "CannotVerifyCopySource");
    await createAppendBlob(storage, "open/append");
    assert.equal(await code("box/none", own("open/append"), sync), "InvalidSourceBlobType");
    const body = { headers: { "x-svc-copy-source": source }, body: "x" };
    assert.equal((await send(storage, "box/none", body)).code, "InvalidHeaderValue");
    assert.equal((await get("box/none")).code, "BlobNotFound");
  });

  test("from another server go on in the background, and tell how they end", async () => {
    const made = await copy("box/far", `${foreignUrl}/a?sig=secret`);
    assert.deepEqual([made.status, made.headers["x-svc-copy-status"]], [202, "pending"]);
    const headers = await settled("box/far");
    const names = ["x-svc-copy-status", "content-type", "x-svc-meta-far", "x-svc-copy-source"];
    assert.deepEqual(
      names.map((name) => headers[name]),
      ["success", "text/foreign", "1", `${foreignUrl}/a`],
    );
    assert.equal((await get("box/far")).text, "from afar");
    await copy("box/lost", `${foreignUrl}/missing`);
    const failed = await settled("box/lost");
    assert.equal(failed["x-svc-copy-status"], "failed");
    assert.match(String(failed["x-svc-copy-status-description"]), /404/);
    const sync = { "x-svc-requires-sync": "true" };
    const now = await copy("box/now", `${foreignUrl}/a`, sync);
    assert.deepEqual([now.status, now.headers["x-svc-copy-status"]], [202, "success"]);
    assert.equal((await get("box/now")).text, "from afar");
    assert.equal(await code("box/now", `${foreignUrl}/missing`, sync), "CannotVerifyCopySource");
  });

  test("that are pending can be aborted, and keep others from writing", async () => {
    const abort = (id: string, action = "abort") =>
      send(storage, `box/slow?comp=copy&copyid=${id}`, {
        headers: { "x-svc-copy-action": action },
      });
    const { headers } = await copy("box/slow", `${foreignUrl}/endless`);
    const id = String(headers["x-svc-copy-id"]);
    const put = await send(storage, "box/slow", { headers: BLOCK_BLOB, body: "x" });
    assert.deepEqual([put.status, put.code], [409, "PendingCopyOperation"]);
    assert.equal(await code("box/slow", own("open/source")), "PendingCopyOperation");
    const metadata = await send(storage, "box/slow?comp=metadata");
    assert.deepEqual([metadata.status, metadata.code], [409, "PendingCopyOperation"]);
    assert.equal(await code("box/other", own("box/slow")), "PendingCopyOperation");
    const snapshot = await send(storage, "box/slow?comp=snapshot");
    assert.equal(snapshot.code, "PendingCopyOperation");
    assert.equal((await abort("other")).code, "CopyIdMismatch");
    assert.equal((await abort(id, "stop")).code, "InvalidHeaderValue");
    assert.equal((await abort("")).code, "MissingRequiredQueryParameter");
    assert.equal((await abort(id)).status, 204);
    assert.equal((await abort(id)).code, "NoPendingCopyOperation");
    const { headers: ended } = await get("box/slow");
    assert.deepEqual([ended["x-svc-copy-status"], ended["content-length"]], ["aborted", "0"]);
    await copy("box/slow", `${foreignUrl}/endless`);
  });
});

suite("Put Blob From URL", () => {
  let storage: TestStorage;
  before(async () => {
    storage = await startStorage();
    const open = { "x-svc-blob-public-access": "blob" };
    await send(storage, "open?restype=container", { headers: open });
    const headers = { ...BLOCK_BLOB, "x-svc-blob-content-type": "text/x", "x-svc-meta-a": "1" };
    await send(storage, "open/source", { headers, body: "content" });
    await send(storage, "open/empty", { headers: BLOCK_BLOB });
  });
  after(() => storage.stop());

  const put = (name: string, source: string, headers = {}, version = "2026-10-06") =>
    send(storage, `open/${name}`, {
      version,
      headers: { ...BLOCK_BLOB, "x-svc-copy-source": `${ORIGIN}/${ACCOUNT}/${source}`, ...headers },
    });
  const get = (name: string) => send(storage, `open/${name}`, { method: "GET" });

  test("makes a block blob of a source, empty ones too", async () => {
    assert.equal((await put("a", "open/source", { "x-svc-meta-b": "2" })).status, 201);
    const { text, headers } = await get("a");
    assert.deepEqual(
      [text, headers["content-type"], headers["x-svc-meta-a"], headers["x-svc-meta-b"]],
      ["content", "text/x", undefined, "2"],
    );
    const plain = { "x-svc-copy-source-blob-properties": "false" };
    await put("a", "open/source", plain);
    assert.equal((await get("a")).headers["content-type"], "application/octet-stream");
    assert.equal((await put("b", "open/empty")).status, 201);
    assert.equal((await get("b")).text, "");
  });

  test("checks the source, and refuses other forms", async () => {
    const code = async (headers = {}, version?: string) =>
      (await put("c", "open/source", headers, version)).code;
    const md5 = (text: string) => createHash("md5").update(text).digest("base64");
    assert.equal(await code({ "x-svc-source-content-md5": md5("other") }), "Md5Mismatch");
    assert.equal(await code({ "x-svc-blob-type": "AppendBlob" }), "InvalidHeaderValue");
    assert.equal(await code({ "x-svc-source-range": "bytes=0-1" }), "InvalidHeaderValue");
    assert.equal(await code({ "x-svc-source-if-match": '"0x1"' }), "SourceConditionNotMet");
    assert.equal(await code({}, "2019-12-12"), "FeatureVersionMismatch");
    assert.equal((await put("c", "open/none")).code, "CannotVerifyCopySource");
    assert.equal((await get("c")).code, "BlobNotFound");
    const { headers } = await put("c", "open/source", {
      "x-svc-source-content-md5": md5("content"),
    });
    assert.equal(headers["content-md5"], md5("content"));
    assert.equal(await code({ "if-none-match": "*" }), "BlobAlreadyExists");
  });
});
