import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { serviceSas } from "../access/signatures.fixture.ts";
import { ACCOUNT, KEYS, ORIGIN, send, startStorage, type TestStorage } from "../storage.fixture.ts";
import { keyHeaders } from "./encryption.fixture.ts";

const ACCOUNTS = "/subscriptions/s1/resourceGroups/local/providers/Svc.Storage/storageAccounts";
const NEIGHBOUR = "neighbour1";
const BEARER = { authorization: "Bearer t.reader" };
const APPEND = { "x-svc-blob-type": "AppendBlob" };
const BLOCK = { "x-svc-blob-type": "BlockBlob" };
const LINE = "a line that is copied from one to another\n";
const KEY = keyHeaders(Buffer.alloc(32, 1));
const OTHER = keyHeaders(Buffer.alloc(32, 2));
const SOURCE_KEY = keyHeaders(Buffer.alloc(32, 1), "x-svc-source-");
const SCOPE = { "x-svc-encryption-scope": "scope-one" };
const SECOND = { "x-svc-encryption-scope": "scope-two" };

type Headers = Readonly<Record<string, string>>;

suite("copies of what is encrypted", () => {
  let storage: TestStorage;
  before(async () => {
    const keys = [Buffer.alloc(64, 5).toString("base64")];
    const accounts = [
      { name: ACCOUNT, keys: KEYS.map((key) => key.toString("base64")) },
      { name: NEIGHBOUR, keys },
    ];
    storage = await startStorage({ decide: () => true, accounts });
    for (const account of [ACCOUNT, NEIGHBOUR]) {
      for (const name of ["scope-one", "scope-two"]) {
        const url = `${ACCOUNTS}/${account}/encryptionScopes/${name}?api-version=2025-01-01`;
        await storage.gateway.inject({ method: "PUT", url, headers: BEARER, body: {} });
      }
    }
    await send(storage, "all?restype=container");
    const sources = { plain: {}, keyed: KEY, scoped: SCOPE } as const;
    for (const [name, headers] of Object.entries<Headers>(sources)) {
      await send(storage, `all/${name}`, { headers: { ...BLOCK, ...headers }, body: LINE });
    }
  });
  after(() => storage.stop());

  const from = (name: string, more: Headers = {}): Headers => ({
    ...more,
    "x-svc-copy-source": `${ORIGIN}/${ACCOUNT}/all/${name}?${serviceSas("r", `all/${name}`)}`,
  });
  const put = (path: string, headers: Headers, body = "") => send(storage, path, { headers, body });
  const read = async (name: string, headers: Headers = {}) =>
    (await send(storage, `all/${name}`, { method: "GET", headers })).text;
  const extent = () => join(storage.dir, "extents", "00000001.extent");

  test("are appended from any key to any other, and share nothing", async () => {
    const targets = { toPlain: {}, toKey: OTHER, toScope: SECOND, toSame: SCOPE } as const;
    for (const [target, headers] of Object.entries<Headers>(targets)) {
      await put(`all/${target}`, { ...APPEND, ...headers });
      for (const [source, key] of [
        ["plain", {}],
        ["keyed", SOURCE_KEY],
        ["scoped", {}],
      ] as const) {
        const start = (await stat(extent())).size;
        const asked = from(source, { ...headers, ...key });
        const { status, headers: answer } = await put(`all/${target}?comp=appendblock`, asked);
        assert.deepEqual([target, source, status], [target, source, 201]);
        assert.equal(answer["x-svc-content-crc64"], await crcOf("plain"));
        const isShared = target === "toPlain" && source === "plain";
        const grown = (await stat(extent())).size - start;
        assert.equal(grown, isShared ? 0 : LINE.length, `${source} ${target}`);
      }
      const key = target === "toKey" ? OTHER : {};
      assert.equal(await read(target, key), LINE.repeat(3));
    }
  });

  const crcOf = async (name: string) => {
    const headers = { range: "bytes=0-", "x-svc-range-get-content-crc64": "true" };
    const { headers: got } = await send(storage, `all/${name}`, { method: "GET", headers });
    return got["x-svc-content-crc64"];
  };

  test("take a range, of which the checksum is compared", async () => {
    await put("all/ranged", { ...APPEND, ...KEY });
    const range = { ...KEY, ...SOURCE_KEY, "x-svc-source-range": "bytes=2-6" };
    const wrong = { ...range, "x-svc-source-content-crc64": "AAAAAAAAAAA=" };
    const { code } = await put("all/ranged?comp=appendblock", from("keyed", wrong));
    assert.equal(code, "Crc64Mismatch");
    await put("all/ranged?comp=appendblock", from("keyed", range));
    assert.equal(await read("ranged", KEY), LINE.slice(2, 7));
  });

  test("need the key of the source, from the version on that has it", async () => {
    await put("all/needs", APPEND);
    const append = (source: string, headers: Headers = {}) =>
      put("all/needs?comp=appendblock", from(source, headers));
    for (const [source, headers, reason] of [
      ["keyed", {}, "BlobUsesCustomerSpecifiedEncryption"],
      [
        "keyed",
        keyHeaders(Buffer.alloc(32, 9), "x-svc-source-"),
        "BlobCustomerSpecifiedEncryptionMismatch",
      ],
      ["plain", SOURCE_KEY, "BlobDoesNotUseCustomerSpecifiedEncryption"],
    ] as const) {
      const { status, code, text } = await append(source, headers);
      assert.deepEqual([status, code], [409, "CannotVerifyCopySource"]);
      assert.ok(text.includes(`<CopySourceErrorCode>${reason}<`), text);
    }
    const version = "2025-11-05";
    const old = { headers: from("keyed", SOURCE_KEY), version };
    const { status, code } = await send(storage, "all/needs?comp=appendblock", old);
    assert.deepEqual([status, code], [400, "UnsupportedHeader"]);
    const far = { ...SOURCE_KEY, "x-svc-copy-source": "http://127.0.0.1:9/a" };
    const elsewhere = await put("all/needs?comp=appendblock", far);
    assert.deepEqual([elsewhere.status, elsewhere.code], [501, "APINotImplemented"]);
    const copied = await put("all/copy", from("keyed", SOURCE_KEY));
    assert.deepEqual([copied.status, copied.code], [501, "APINotImplemented"]);
    const without = await put("all/copy", from("keyed"));
    assert.deepEqual([without.status, without.code], [409, "CannotVerifyCopySource"]);
  });

  test("are put as blocks and as blobs", async () => {
    const block = { ...OTHER, ...SOURCE_KEY };
    await put("all/blocks?comp=block&blockid=YQ==", from("keyed", block));
    const list = "<BlockList><Latest>YQ==</Latest></BlockList>";
    const committed = await put("all/blocks?comp=blocklist", OTHER, list);
    assert.equal(committed.headers["x-svc-encryption-key-sha256"], hashOf(OTHER));
    assert.equal(await read("blocks", OTHER), LINE);
    const whole = await put("all/whole", from("keyed", { ...BLOCK, ...SCOPE, ...SOURCE_KEY }));
    assert.deepEqual(
      [whole.status, whole.headers["x-svc-encryption-scope"], await read("whole")],
      [201, "scope-one", LINE],
    );
  });

  const hashOf = (key: Headers) => key["x-svc-encryption-key-sha256"];

  test("within a scope refer to the same bytes; to another one they are written anew", async () => {
    const sync = { "x-svc-requires-sync": "true" };
    const size = async () => (await stat(extent())).size;
    const start = await size();
    const shared = await put("all/shared", from("scoped", { ...sync, ...SCOPE }));
    assert.deepEqual(
      [shared.status, shared.headers["x-svc-encryption-scope"], await size()],
      [202, "scope-one", start],
    );
    await put("all/other", from("scoped", { ...sync, ...SECOND }));
    assert.equal(await size(), start + LINE.length);
    await put("all/opened", from("scoped"));
    await put("all/closed", from("plain", SCOPE));
    for (const name of ["shared", "other", "opened", "closed"]) {
      assert.equal(await read(name), LINE, name);
    }
    const raw = await readFile(extent(), "latin1");
    assert.equal(raw.slice(start, start + LINE.length) === LINE, false);
  });

  test("of another account share nothing, though its scope has the same name", async () => {
    const at = `/${NEIGHBOUR}/all`;
    await send(storage, `${at}?restype=container`, { headers: BEARER });
    const there = { headers: { ...BEARER, ...BLOCK, ...SCOPE }, body: LINE };
    assert.equal((await send(storage, `${at}/a`, there)).status, 201);
    const size = (await stat(extent())).size;
    const token = { "x-svc-copy-source-authorization": BEARER.authorization, ...SCOPE };
    const source = { "x-svc-copy-source": `${ORIGIN}${at}/a`, ...token };
    assert.equal((await put("all/from-neighbour", source)).status, 202);
    assert.equal(await read("from-neighbour"), LINE);
    assert.equal((await stat(extent())).size, size + LINE.length);

    const page = { "x-svc-blob-type": "PageBlob", "x-svc-blob-content-length": "512" };
    await send(storage, `${at}/disk`, { headers: { ...BEARER, ...page, ...SCOPE } });
    const snapshot = await send(storage, `${at}/disk?comp=snapshot`, { headers: BEARER });
    const time = String(snapshot.headers["x-svc-snapshot"]);
    const disk = { "x-svc-copy-source": `${ORIGIN}${at}/disk?snapshot=${time}` };
    const scoped = { "x-svc-default-encryption-scope": "scope-one" };
    await send(storage, "scoped?restype=container", { headers: scoped });
    const headers = { ...token, ...disk };
    const { "x-svc-encryption-scope": _, ...asked } = headers;
    const { status, code } = await put("scoped/disk?comp=incrementalcopy", asked);
    assert.deepEqual([status, code], [409, "BlobCustomerSpecifiedEncryptionMismatch"]);
  });

  test("keep their list of blocks, their count and their pages", async () => {
    for (const id of ["YQ==", "Yg=="]) {
      await put(`all/two?comp=block&blockid=${id}`, SCOPE, `${id} `);
    }
    const list = "<BlockList><Latest>Yg==</Latest><Latest>YQ==</Latest></BlockList>";
    await put("all/two?comp=blocklist", SCOPE, list);
    await put("all/two-copied", from("two", SECOND));
    const { text } = await send(storage, "all/two-copied?comp=blocklist", { method: "GET" });
    assert.match(text, /<Name>Yg==<\/Name><Size>5<.*<Name>YQ==<\/Name><Size>5</s);
    assert.equal(await read("two-copied"), "Yg== YQ== ");

    await put("all/log", { ...APPEND, ...SCOPE });
    await put("all/log?comp=appendblock", {}, LINE);
    await put("all/log?comp=appendblock", {}, LINE);
    const { headers } = await put("all/log?comp=snapshot", {});
    const snapshot = `&snapshot=${String(headers["x-svc-snapshot"])}`;
    await put("all/log?comp=appendblock", {}, LINE);
    const source = from("log");
    const url = `${source["x-svc-copy-source"] ?? ""}${snapshot}`;
    await put("all/log-copied", { "x-svc-copy-source": url });
    assert.equal(await read("log-copied"), LINE.repeat(2));
    const appended = await put("all/log-copied?comp=appendblock", {}, LINE);
    assert.equal(appended.headers["x-svc-blob-committed-block-count"], "3");

    const page = { "x-svc-blob-type": "PageBlob", "x-svc-blob-content-length": "4096" };
    await put("all/disk", { ...page, ...SCOPE });
    const write = { "x-svc-page-write": "update", "x-svc-range": "bytes=1024-2047" };
    await put("all/disk?comp=page", write, "p".repeat(1024));
    await put("all/disk-copied", from("disk", SECOND));
    const second = { ...write, "x-svc-range": "bytes=1536-2047" };
    await put("all/disk-copied?comp=page", second, "q".repeat(512));
    const pages = `${"\0".repeat(1024)}${"p".repeat(512)}${"q".repeat(512)}${"\0".repeat(2048)}`;
    assert.equal(await read("disk-copied"), pages);
  });
});
