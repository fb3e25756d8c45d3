import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { send, startStorage, type TestStorage } from "../storage.fixture.ts";

type Headers = Record<string, string>;
const LEASE = "00000000-0000-0000-0000-00000000000a";

suite("metadata and properties", () => {
  let storage: TestStorage;
  before(async () => {
    storage = await startStorage();
    await send(storage, "props?restype=container", { headers: { "x-svc-meta-old": "1" } });
  });
  after(() => storage.stop());

  const put = (name: string, headers: Headers = {}) =>
    send(storage, `props/${name}`, {
      headers: { "x-svc-blob-type": "BlockBlob", ...headers },
      body: "content",
    });
  const set = (path: string, headers: Headers) => send(storage, path, { headers });
  const metadata = (got: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(got).filter(([name]) => name.startsWith("x-svc-meta-")));

  test("of a blob are replaced as a whole, which gives it another entity tag", async () => {
    const { headers: earlier } = await put("meta", { "x-svc-meta-old": "1" });
    const { status, headers } = await set("props/meta?comp=metadata", {
      "x-svc-meta-a": "1",
      "x-svc-meta-__proto__": "2",
    });
    assert.deepEqual([status, headers["etag"] === earlier["etag"]], [200, false]);
    for (const method of ["GET", "HEAD"] as const) {
      const got = await send(storage, "props/meta?comp=metadata", { method });
      assert.deepEqual([got.status, got.text, got.headers["etag"]], [200, "", headers["etag"]]);
      const expected = { "x-svc-meta-a": "1", ["x-svc-meta-__proto__"]: "2" };
      assert.deepEqual(metadata(got.headers), expected);
    }
    const { text } = await send(storage, "props/meta", { method: "GET" });
    assert.equal(text, "content");
    await set("props/meta?comp=metadata", {});
    const cleared = await send(storage, "props/meta", { method: "HEAD" });
    assert.deepEqual(metadata(cleared.headers), {});
  });

  test("of a container are replaced as a whole as well", async () => {
    const path = "props?restype=container&comp=metadata";
    const { status, headers } = await set(path, { "x-svc-meta-new": "2" });
    assert.equal(status, 200);
    const got = await send(storage, path, { method: "GET" });
    assert.deepEqual(metadata(got.headers), { "x-svc-meta-new": "2" });
    const properties = await send(storage, "props?restype=container", { method: "HEAD" });
    assert.deepEqual(metadata(properties.headers), { "x-svc-meta-new": "2" });
    assert.equal(properties.headers["etag"], headers["etag"]);
    const code = async (sent: Headers) => (await set(path, sent)).code;
    assert.equal(await code({ "if-match": "*" }), "ConditionHeadersNotSupported");
    const old = "Mon, 01 Jan 2024 00:00:00 GMT";
    assert.equal(await code({ "if-unmodified-since": old }), "ConditionNotMet");
    const none = "LeaseNotPresentWithContainerOperation";
    assert.equal(await code({ "x-svc-lease-id": LEASE }), none);
    const missing = await set("none?restype=container&comp=metadata", {});
    assert.deepEqual([missing.status, missing.code], [404, "ContainerNotFound"]);
  });

  test("are refused when they are no metadata, and stay as they were", async () => {
    await put("kept", { "x-svc-meta-a": "1" });
    const code = async (headers: Headers) => (await set("props/kept?comp=metadata", headers)).code;
    assert.equal(await code({ "x-svc-meta-1a": "x" }), "InvalidMetadata");
    assert.equal(await code({ "x-svc-meta-": "x" }), "EmptyMetadataKey");
    assert.equal(await code({ "x-svc-meta-b": "x".repeat(8192) }), "MetadataTooLarge");
    assert.equal(await code({ "x-svc-meta-b": "x", "if-match": '"0x1"' }), "ConditionNotMet");
    const both = { "if-match": "*", "if-none-match": "*" };
    assert.equal(await code(both), "MultipleConditionHeadersNotSupported");
    const none = "LeaseNotPresentWithBlobOperation";
    assert.equal(await code({ "x-svc-lease-id": LEASE }), none);
    const { headers } = await send(storage, "props/kept", { method: "HEAD" });
    assert.deepEqual(metadata(headers), { "x-svc-meta-a": "1" });
    assert.equal((await set("props/none?comp=metadata", {})).code, "BlobNotFound");
  });

  test("of the content are replaced as a whole, and those not sent cleared", async () => {
    const type = { "x-svc-blob-content-type": "text/plain" };
    await put("types", { ...type, "x-svc-blob-cache-control": "no-store", "x-svc-meta-a": "1" });
    const { status, headers } = await set("props/types?comp=properties", {
      "x-svc-blob-content-language": "de",
      "x-svc-blob-content-disposition": "inline",
      "content-type": "text/ignored",
    });
    assert.equal(status, 200);
    const { headers: got } = await send(storage, "props/types", { method: "HEAD" });
    const names = ["etag", "content-type", "cache-control", "content-language", "content-md5"];
    assert.deepEqual(
      [...names, "content-disposition", "x-svc-meta-a"].map((name) => got[name]),
      [headers["etag"], "application/octet-stream", undefined, "de", undefined, "inline", "1"],
    );
    const length = await set("props/types?comp=properties", { "x-svc-blob-content-length": "512" });
    assert.deepEqual([length.status, length.code], [409, "InvalidBlobType"]);
    const md5 = await set("props/types?comp=properties", { "x-svc-blob-content-md5": "AAAA" });
    assert.deepEqual([md5.status, md5.code], [400, "InvalidMd5"]);
  });
});

suite("what is known of a blob", () => {
  test("is there again after a restart", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-properties-"));
    const dir = folder.path;
    const location = { kind: "sqlite", file: join(dir, "storage.db") } as const;
    const first = await startStorage({ dir, location });
    const create = async (path: string, type: string, body?: string) =>
      send(first, path, {
        headers: { "x-svc-blob-type": type, "x-svc-tags": "a=1" },
        ...(body !== undefined && { body }),
      });
    await send(first, "kept?restype=container");
    await create("kept/append", "AppendBlob");
    await create("kept/block", "BlockBlob", "x");
    await send(first, "kept/append?comp=seal");
    await send(first, "kept/block?comp=metadata", { headers: { "x-svc-meta-b": "2" } });
    await send(first, "kept/block?comp=tier", { headers: { "x-svc-access-tier": "Cool" } });
    const acquire = { "x-svc-lease-action": "acquire", "x-svc-lease-duration": "-1" };
    await send(first, "kept/block?comp=lease", { headers: acquire });
    await send(first, "kept?restype=container&comp=lease", { headers: acquire });
    const containerMetadata = { "x-svc-meta-c": "3" };
    await send(first, "kept?restype=container&comp=metadata", { headers: containerMetadata });
    const paths = ["kept/append", "kept/block", "kept?restype=container"];
    const known = async (storage: TestStorage) => {
      const all = await Promise.all(paths.map((path) => send(storage, path, { method: "HEAD" })));
      return all.map(({ headers }) => {
        const own = Object.entries(headers).filter(([name]) => /^x-svc-|^etag$/.test(name));
        return Object.fromEntries(own.filter(([name]) => name !== "x-svc-request-id"));
      });
    };
    const earlier = await known(first);
    await first.stop();
    const second = await startStorage({ dir, location });
    assert.deepEqual(await known(second), earlier);
    await second.stop();
    const [append, block, container] = earlier;
    assert.deepEqual([append?.["x-svc-blob-sealed"], append?.["x-svc-tag-count"]], ["true", "1"]);
    const shown = ["meta-b", "access-tier", "lease-state"].map((name) => block?.[`x-svc-${name}`]);
    assert.deepEqual(shown, ["2", "Cool", "leased"]);
    const its = ["meta-c", "lease-state"].map((name) => container?.[`x-svc-${name}`]);
    assert.deepEqual(its, ["3", "leased"]);
  });
});
