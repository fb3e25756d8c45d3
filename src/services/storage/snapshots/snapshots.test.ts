import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import {
  ACCOUNT,
  createAppendBlob,
  ORIGIN,
  send,
  startStorage,
  type TestStorage,
} from "../storage.fixture.ts";

const BLOCK_BLOB = { "x-svc-blob-type": "BlockBlob" };

suite("snapshots", () => {
  let storage: TestStorage;
  before(async () => {
    storage = await startStorage();
    const open = { "x-svc-blob-public-access": "blob" };
    await send(storage, "box?restype=container", { headers: open });
  });
  after(() => storage.stop());

  const put = (name: string, body: string) =>
    send(storage, `box/${name}`, { headers: BLOCK_BLOB, body });
  const snapshot = async (name: string, headers = {}) => {
    const taken = await send(storage, `box/${name}?comp=snapshot`, { headers });
    return { ...taken, time: String(taken.headers["x-svc-snapshot"]) };
  };
  const read = async (path: string) => {
    const { text, code } = await send(storage, `box/${path}`, { method: "GET" });
    return code === "" ? text : code;
  };
  const remove = async (path: string, headers = {}) => {
    const { status, code } = await send(storage, `box/${path}`, { method: "DELETE", headers });
    return code === "" ? status : code;
  };

  test("keep what the blob was, while the blob goes on", async () => {
    await createAppendBlob(storage, "box/log");
    const append = (body: string) => send(storage, "box/log?comp=appendblock", { body });
    await append("one ");
    const [first] = await Promise.all([snapshot("log"), append("two ")]);
    const second = await snapshot("log", { "x-svc-meta-why": "test" });
    await append("three");
    assert.deepEqual([first.status, second.status], [201, 201]);
    assert.match(first.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/);
    assert.ok(first.time < second.time);
    const texts = [`log?snapshot=${first.time}`, `log?snapshot=${second.time}`, "log"].map(read);
    assert.deepEqual(await Promise.all(texts), ["one ", "one two ", "one two three"]);
    const { headers } = await send(storage, `box/log?snapshot=${second.time}`, { method: "HEAD" });
    assert.deepEqual(
      [headers["x-svc-meta-why"], headers["content-length"], headers["etag"]],
      ["test", "8", second.headers["etag"]],
    );
  });

  test("have the blob's entity tag unless they get metadata of their own", async () => {
    const { headers } = await put("tagged", "x");
    assert.equal((await snapshot("tagged")).headers["etag"], headers["etag"]);
    const other = await snapshot("tagged", { "x-svc-meta-a": "1" });
    assert.notEqual(other.headers["etag"], headers["etag"]);
    const { headers: still } = await send(storage, "box/tagged", { method: "HEAD" });
    assert.equal(still["etag"], headers["etag"]);
  });

  test("outlive a blob that is overwritten, and keep it from being deleted alone", async () => {
    await put("kept", "old");
    const { time } = await snapshot("kept");
    await put("kept", "new");
    assert.equal(await read(`kept?snapshot=${time}`), "old");
    assert.equal(await remove("kept"), "SnapshotsPresent");
    assert.equal(await remove("kept", { "x-svc-delete-snapshots": "only" }), 202);
    assert.deepEqual(
      [await read("kept"), await read(`kept?snapshot=${time}`)],
      ["new", "BlobNotFound"],
    );
    assert.equal(await remove("kept"), 202);
  });

  test("are deleted one by one, and with the blob", async () => {
    await put("gone", "1");
    const first = await snapshot("gone");
    const second = await snapshot("gone");
    const path = `gone?snapshot=${first.time}`;
    const both = { "x-svc-delete-snapshots": "include" };
    assert.equal(await remove(path, both), "InvalidHeaderValue");
    const twice = await Promise.all([remove(path), remove(path)]);
    assert.deepEqual(twice, [202, "BlobNotFound"]);
    assert.equal(await read(`gone?snapshot=${second.time}`), "1");
    assert.equal(await remove("gone"), "SnapshotsPresent");
    assert.equal(await remove("gone", both), 202);
    await put("gone", "2");
    assert.equal(await read(`gone?snapshot=${second.time}`), "BlobNotFound");
    assert.equal(await remove("gone"), 202);
  });

  test("are not written to, and are named by a time", async () => {
    await put("fixed", "1");
    const { time } = await snapshot("fixed");
    const write = await send(storage, `box/fixed?snapshot=${time}`, { headers: BLOCK_BLOB });
    assert.deepEqual([write.status, write.code], [400, "InvalidOperation"]);
    const meta = await send(storage, `box/fixed?comp=metadata&snapshot=${time}`);
    assert.deepEqual([meta.status, meta.code], [400, "InvalidOperation"]);
    assert.equal(await read("fixed?snapshot=yesterday"), "InvalidQueryParameterValue");
    assert.equal(await read("fixed?snapshot=2020-01-01T00:00:00.0000000Z"), "BlobNotFound");
    assert.equal((await snapshot("missing")).code, "BlobNotFound");
    assert.equal((await snapshot("fixed", { "if-match": '"0x1"' })).code, "ConditionNotMet");
  });

  test("are sources of appends, and have the block list of their blob", async () => {
    const id = encodeURIComponent("YQ==");
    await send(storage, `box/list?comp=block&blockid=${id}`, { body: "abc" });
    const body = "<BlockList><Latest>YQ==</Latest></BlockList>";
    await send(storage, "box/list?comp=blocklist", { body });
    const { time } = await snapshot("list");
    await put("list", "other");
    assert.match(await read(`list?comp=blocklist&snapshot=${time}`), /<Size>3</);
    await createAppendBlob(storage, "box/copy");
    const source = { "x-svc-copy-source": `${ORIGIN}/${ACCOUNT}/box/list?snapshot=${time}` };
    const copied = await send(storage, "box/copy?comp=appendblock", { headers: source });
    assert.equal(copied.status, 201);
    assert.equal(await read("copy"), "abc");
  });
});
