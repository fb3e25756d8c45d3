import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { send, startStorage, type Sent, type TestStorage } from "../storage.fixture.ts";
import { keyHeaders } from "./encryption.fixture.ts";

const KEY = Buffer.alloc(32, 7);
const OTHER = Buffer.alloc(32, 8);
const APPEND = { "x-svc-blob-type": "AppendBlob" };
const BLOCK = { "x-svc-blob-type": "BlockBlob" };
const hashOf = (key: Uint8Array) => createHash("sha256").update(key).digest("base64");
const LINE = "a line that nobody else shall read\n";

suite("a key of the customer", () => {
  let storage: TestStorage;
  before(async () => {
    storage = await startStorage();
    await send(storage, "logs?restype=container");
  });
  after(() => storage.stop());

  const outcome = async (path: string, sent: Sent) => {
    const { status, code, headers } = await send(storage, path, sent);
    return [status, code || headers["x-svc-error-code"]];
  };
  const append = (path: string, headers: Readonly<Record<string, string>>, body = LINE) =>
    send(storage, `${path}?comp=appendblock`, { headers, body });
  const stored = () => readFile(join(storage.dir, "extents", "00000001.extent"), "latin1");

  test("encrypts what is appended, and is needed to read it", async () => {
    const key = keyHeaders(KEY);
    const created = await send(storage, "logs/day", { headers: { ...APPEND, ...key } });
    const sha256 = hashOf(KEY);
    assert.deepEqual(
      ["request-server-encrypted", "encryption-key-sha256"].map(
        (name) => created.headers[`x-svc-${name}`],
      ),
      ["true", sha256],
    );
    const first = await append("logs/day", key);
    assert.equal(first.status, 201);
    assert.equal(first.headers["x-svc-encryption-key-sha256"], sha256);
    await append("logs/day", key, "and another");
    const got = await send(storage, "logs/day", { method: "GET", headers: key });
    assert.equal(got.text, `${LINE}and another`);
    assert.equal(got.headers["x-svc-server-encrypted"], "true");
    assert.equal(got.headers["x-svc-encryption-key-sha256"], sha256);
    const range = { ...key, range: "bytes=7-41" };
    const part = await send(storage, "logs/day", { method: "GET", headers: range });
    assert.deepEqual([part.status, part.text], [206, `${LINE}and another`.slice(7, 42)]);
    assert.equal((await stored()).includes("nobody"), false);
  });

  test("answers with the checksums of what was sent", async () => {
    const key = keyHeaders(KEY);
    await send(storage, "logs/sums", { headers: { ...APPEND, ...key } });
    await send(storage, "logs/open", { headers: APPEND });
    const [encrypted, open] = [await append("logs/sums", key), await append("logs/open", {})];
    const sum = open.headers["x-svc-content-crc64"];
    assert.equal(encrypted.headers["x-svc-content-crc64"], sum);
    const whole = createHash("md5").update(LINE).digest("base64");
    const put = await send(storage, "logs/put", { headers: { ...BLOCK, ...key }, body: LINE });
    assert.equal(put.headers["content-md5"], whole);
    const wrong = createHash("md5").update("other").digest("base64");
    const refused = await append("logs/sums", { ...key, "content-md5": wrong });
    assert.equal(refused.code, "Md5Mismatch");
    const asked = { ...key, range: "bytes=0-34", "x-svc-range-get-content-crc64": "true" };
    const got = await send(storage, "logs/sums", { method: "GET", headers: asked });
    assert.equal(got.headers["x-svc-content-crc64"], sum);
  });

  test("is asked for by everything that reads or writes the content", async () => {
    const key = keyHeaders(KEY);
    await send(storage, "logs/kept", { headers: { ...APPEND, ...key } });
    await append("logs/kept", key);
    const operations: readonly [string, Sent][] = [
      ["logs/kept", { method: "GET" }],
      ["logs/kept", { method: "HEAD" }],
      ["logs/kept?comp=metadata", { method: "GET" }],
      ["logs/kept?comp=metadata", { headers: { "x-svc-meta-a": "b" } }],
      ["logs/kept?comp=snapshot", {}],
      ["logs/kept?comp=appendblock", { body: "x" }],
    ];
    for (const [path, sent] of operations) {
      const none = await outcome(path, sent);
      assert.deepEqual(none, [409, "BlobUsesCustomerSpecifiedEncryption"], path);
      const headers = { ...sent.headers, ...keyHeaders(OTHER) };
      const other = await outcome(path, { ...sent, headers });
      assert.deepEqual(other, [409, "BlobCustomerSpecifiedEncryptionMismatch"], path);
    }
    for (const [path, sent] of operations) {
      const { status } = await send(storage, path, {
        ...sent,
        headers: { ...sent.headers, ...key },
      });
      assert.ok(status < 300, `${path} ${status}`);
    }
  });

  test("is not for a blob without one", async () => {
    await send(storage, "logs/none", { headers: APPEND });
    const headers = keyHeaders(KEY);
    for (const [path, sent] of [
      ["logs/none", { method: "GET" }],
      ["logs/none?comp=appendblock", { body: "x" }],
      ["logs/none?comp=metadata", {}],
    ] as const) {
      const got = await outcome(path, { ...sent, headers });
      assert.deepEqual(got, [409, "BlobDoesNotUseCustomerSpecifiedEncryption"], path);
    }
  });

  test("comes whole and valid, and never in an answer", async () => {
    const key = keyHeaders(KEY);
    for (const name of Object.keys(key)) {
      const headers: Record<string, string> = { ...BLOCK, ...key };
      delete headers[name];
      const { status, code, text } = await send(storage, "logs/form", { headers, body: "x" });
      assert.deepEqual([status, code], [400, "MissingRequiredHeader"]);
      assert.ok(text.includes(`<HeaderName>${name}</HeaderName>`), text);
    }
    const wrong: readonly Readonly<Record<string, string>>[] = [
      keyHeaders(Buffer.alloc(31, 7)),
      { ...key, "x-svc-encryption-key": `${key["x-svc-encryption-key"]}=` },
      { ...key, "x-svc-encryption-key-sha256": hashOf(OTHER) },
      { ...key, "x-svc-encryption-algorithm": "AES128" },
      { ...key, "x-svc-encryption-scope": "projects" },
    ];
    for (const headers of wrong) {
      const sent = { headers: { ...BLOCK, ...headers }, body: "x" };
      const { status, code, text } = await send(storage, "logs/form", sent);
      assert.deepEqual([status, code], [400, "InvalidHeaderValue"]);
      assert.equal(text.includes(KEY.toString("base64")), false);
    }
    const old = { headers: { ...BLOCK, ...key }, body: "x", version: "2018-11-09" };
    assert.deepEqual(await outcome("logs/form", old), [400, "UnsupportedHeader"]);
    const nowhere = await outcome("logs/form", { method: "DELETE", headers: key });
    assert.deepEqual(nowhere, [501, "APINotImplemented"]);
  });

  test("is taken on plain http while Atoll is on loopback only", async () => {
    const strict = await startStorage({ plainHttpSecrets: false });
    try {
      await send(strict, "logs?restype=container");
      const sent = { headers: { ...BLOCK, ...keyHeaders(KEY) }, body: "x" };
      const { status, code } = await send(strict, "logs/a", sent);
      assert.deepEqual([status, code], [400, "InvalidHeaderValue"]);
    } finally {
      await strict.stop();
    }
  });

  test("is the same for all blocks of a list", async () => {
    const key = keyHeaders(KEY);
    const block = (name: string, headers: Readonly<Record<string, string>>, body: string) => {
      const id = encodeURIComponent(Buffer.from(name).toString("base64"));
      return send(storage, `logs/list?comp=block&blockid=${id}`, { headers, body });
    };
    const list = (headers: Readonly<Record<string, string>>, ...names: readonly string[]) => {
      const ids = names.map((name) => `<Latest>${Buffer.from(name).toString("base64")}</Latest>`);
      const body = `<BlockList>${ids.join("")}</BlockList>`;
      return outcome("logs/list?comp=blocklist", { headers, body });
    };
    await block("a", key, "first ");
    await block("b", keyHeaders(OTHER), "second");
    assert.deepEqual(await list({}, "a"), [409, "BlobUsesCustomerSpecifiedEncryption"]);
    assert.deepEqual(await list(key, "a", "b"), [409, "BlobCustomerSpecifiedEncryptionMismatch"]);
    await block("b", key, "second");
    assert.deepEqual(await list(key, "a", "b"), [201, undefined]);
    await block("c", {}, "third");
    const unlike = await list({}, "a", "c");
    assert.deepEqual(unlike, [409, "BlobUsesCustomerSpecifiedEncryption"]);
    const got = await send(storage, "logs/list", { method: "GET", headers: key });
    assert.equal(got.text, "first second");
  });

  test("covers long content, of which any range is read by itself", async () => {
    const key = keyHeaders(KEY);
    const bytes = randomBytes(3 * 2 ** 20 + 5);
    await send(storage, "logs/long", { headers: { ...BLOCK, ...key }, body: bytes });
    const whole = await send(storage, "logs/long", { method: "GET", headers: key });
    assert.ok(whole.bytes.equals(bytes));
    for (const [first, last] of [
      [0, 0],
      [15, 16],
      [1_000_003, 2_500_001],
      [bytes.length - 3, bytes.length - 1],
    ] as const) {
      const headers = { ...key, range: `bytes=${first}-${last}` };
      const part = await send(storage, "logs/long", { method: "GET", headers });
      assert.ok(part.bytes.equals(bytes.subarray(first, last + 1)), `${first}-${last}`);
    }
  });
});
