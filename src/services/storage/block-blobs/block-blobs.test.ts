import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { crc64 } from "#engines/blocks/crc64.ts";
import { base64 } from "../protocol/checksums.ts";
import {
  ACCOUNT,
  createAppendBlob,
  ORIGIN,
  send,
  startStorage,
  type Sent,
  type TestStorage,
} from "../storage.fixture.ts";

const id = (name: string) => Buffer.from(name).toString("base64");
const listXml = (...entries: (readonly [string, string])[]) =>
  `<?xml version="1.0" encoding="utf-8"?><BlockList>${entries
    .map(([from, name]) => `<${from}>${id(name)}</${from}>`)
    .join("")}</BlockList>`;
/** The blocks of a part of an answer, as name and size. */
function blocksOf(xml: string): string[] {
  const found = [...xml.matchAll(/<Name>(.*?)<\/Name><Size>(\d+)<\/Size>/g)];
  return found.map(([, at = "", size]) => `${Buffer.from(at, "base64").toString()} ${size}`);
}

suite("block blobs of many blocks", () => {
  let storage: TestStorage;
  let time = Date.now();
  before(async () => {
    const environment = {
      now: () => new Date(time),
      newId,
      randomBytes: (n: number) => Buffer.alloc(n),
    };
    storage = await startStorage({ environment });
    await send(storage, "box?restype=container", {
      headers: { "x-svc-blob-public-access": "blob" },
    });
  });
  after(() => storage.stop());
  let ids = 0;
  const newId = () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, "0")}`;

  const dated = () => ({ "x-svc-date": new Date(time).toUTCString() });
  const block = (blob: string, name: string, sent: Sent = {}) => {
    const path = `box/${blob}?comp=block&blockid=${encodeURIComponent(id(name))}`;
    return send(storage, path, { ...sent, headers: { ...dated(), ...sent.headers } });
  };
  const commit = (blob: string, body: string, headers = {}) =>
    send(storage, `box/${blob}?comp=blocklist`, { body, headers });
  const read = async (blob: string) => (await send(storage, `box/${blob}`, { method: "GET" })).text;
  const lists = async (blob: string, type = "all") => {
    const path = `box/${blob}?comp=blocklist&blocklisttype=${type}`;
    const { text, code } = await send(storage, path, { method: "GET", headers: dated() });
    if (code !== "") return code;
    const parts = [...text.matchAll(/<(\w+)Blocks>(.*?)<\/\w+Blocks>/g)];
    return parts.map(([, name = "", inner = ""]) => [name].concat(blocksOf(inner)));
  };

  test("are made of blocks in the order of their list, not of their uploads", async () => {
    const put = await block("one", "b", { body: "world" });
    assert.equal(put.status, 201);
    assert.equal(put.headers["x-svc-content-crc64"], base64(crc64(Buffer.from("world"))));
    await block("one", "a", { body: "hello " });
    await block("one", "c", { body: "unused" });
    assert.deepEqual(await lists("one"), [["Committed"], ["Uncommitted", "b 5", "a 6", "c 6"]]);
    assert.equal((await send(storage, "box/one", { method: "GET" })).code, "BlobNotFound");
    const headers = { "x-svc-blob-content-type": "text/plain", "x-svc-meta-a": "1" };
    const made = await commit("one", listXml(["Latest", "a"], ["Uncommitted", "b"]), headers);
    assert.equal(made.status, 201);
    const got = await send(storage, "box/one", { method: "GET" });
    const { etag, "content-type": type, "x-svc-meta-a": meta } = got.headers;
    assert.deepEqual(
      [got.text, etag, type, meta],
      ["hello world", made.headers["etag"], "text/plain", "1"],
    );
    assert.deepEqual(await lists("one"), [["Committed", "a 6", "b 5"], ["Uncommitted"]]);
    assert.deepEqual(await lists("one", "committed"), [["Committed", "a 6", "b 5"]]);
    assert.deepEqual(await lists("one", "uncommitted"), [["Uncommitted"]]);
  });

  test("keep committed blocks, take newer ones of the same name, and repeat them", async () => {
    await block("two", "a", { body: "a1" });
    await block("two", "b", { body: "b1" });
    await commit("two", listXml(["Latest", "a"], ["Latest", "b"]));
    await block("two", "a", { body: "a2!" });
    await block("two", "a", { body: "a3!!" });
    assert.deepEqual(await lists("two", "uncommitted"), [["Uncommitted", "a 4"]]);
    const list = listXml(["Latest", "a"], ["Committed", "a"], ["Latest", "b"], ["Committed", "b"]);
    assert.equal((await commit("two", list)).status, 201);
    assert.equal(await read("two"), "a3!!a1b1b1");
    assert.equal((await commit("two", listXml())).status, 201);
    assert.equal(await read("two"), "");
  });

  test("refuse lists that name what is not there, or that are no lists", async () => {
    await block("refused", "a", { body: "1" });
    const code = async (body: string, headers = {}) =>
      (await commit("refused", body, headers)).code;
    assert.equal(await code(listXml(["Latest", "z"])), "InvalidBlockList");
    assert.equal(await code(listXml(["Committed", "a"])), "InvalidBlockList");
    await commit("refused", listXml(["Uncommitted", "a"]));
    assert.equal(await code(listXml(["Uncommitted", "a"])), "InvalidBlockList");
    assert.equal(await code("<BlockList><Other>YQ==</Other></BlockList>"), "InvalidXmlDocument");
    assert.equal(await code("<List/>"), "InvalidXmlDocument");
    assert.equal(await code("<BlockList><Latest>?</Latest></BlockList>"), "InvalidBlockId");
    const long = `<BlockList>${"<Latest>YQ==</Latest>".repeat(50_001)}</BlockList>`;
    assert.equal(await code(long), "BlockListTooLong");
    const md5 = { "content-md5": Buffer.alloc(16).toString("base64") };
    assert.equal(await code(listXml(["Latest", "a"]), md5), "Md5Mismatch");
    const none = { "if-none-match": "*" };
    assert.equal(await code(listXml(["Latest", "a"]), none), "BlobAlreadyExists");
    const other = { "if-match": '"0x1"' };
    assert.equal(await code(listXml(["Latest", "a"]), other), "ConditionNotMet");
    assert.equal(await read("refused"), "1");
  });

  test("refuse blocks with bad ids, without content, too large, or with a wrong hash", async () => {
    const of = async (query: string, sent: Sent = { body: "x" }) => {
      const { status, code } = await send(storage, `box/bad?comp=block${query}`, sent);
      return [status, code];
    };
    assert.deepEqual(await of(""), [400, "MissingRequiredQueryParameter"]);
    assert.deepEqual(await of("&blockid=a"), [400, "InvalidBlockId"]);
    const long = encodeURIComponent(id("x".repeat(65)));
    assert.deepEqual(await of(`&blockid=${long}`), [400, "InvalidBlockId"]);
    assert.deepEqual(await of("&blockid=YQ%3D%3D", {}), [400, "InvalidHeaderValue"]);
    const early = { body: "x".repeat(4 * 2 ** 20 + 1), version: "2015-12-11" };
    assert.deepEqual(await of("&blockid=YQ%3D%3D", early), [413, "RequestBodyTooLarge"]);
    const md5 = { body: "x", headers: { "content-md5": Buffer.alloc(16).toString("base64") } };
    assert.deepEqual(await of("&blockid=YQ%3D%3D", md5), [400, "Md5Mismatch"]);
    assert.equal((await block("bad", "aa", { body: "x" })).status, 201);
    const { status, code } = await block("bad", "bbbb", { body: "x" });
    assert.deepEqual([status, code], [400, "InvalidBlobOrBlock"]);
    assert.equal(await lists("bad", "other"), "InvalidQueryParameterValue");
    assert.equal(await lists("none"), "BlobNotFound");
  });

  test("are no append blobs", async () => {
    await createAppendBlob(storage, "box/log");
    assert.equal((await block("log", "a", { body: "x" })).code, "InvalidBlobType");
    assert.equal((await commit("log", listXml())).code, "InvalidBlobType");
    assert.equal(await lists("log"), "InvalidBlobType");
  });

  test("take blocks from URLs, and keep them in one piece of the list", async () => {
    await createAppendBlob(storage, "box/source");
    for (const body of ["abc", "defg"]) {
      await send(storage, "box/source?comp=appendblock", { body });
      await createAppendBlob(storage, "box/between");
      await send(storage, "box/between?comp=appendblock", { body: "-" });
    }
    const source = { "x-svc-copy-source": `${ORIGIN}/${ACCOUNT}/box/source` };
    const range = { ...source, "x-svc-source-range": "bytes=1-5" };
    assert.equal((await block("urls", "a", { headers: range })).status, 201);
    const whole = await block("urls", "b", { headers: source });
    assert.equal(whole.headers["x-svc-content-crc64"], base64(crc64(Buffer.from("abcdefg"))));
    await commit("urls", listXml(["Latest", "b"], ["Latest", "a"]));
    assert.equal(await read("urls"), "abcdefgbcdef");
    assert.deepEqual(await lists("urls", "committed"), [["Committed", "b 7", "a 5"]]);
    const missing = { "x-svc-copy-source": `${ORIGIN}/${ACCOUNT}/box/missing` };
    assert.equal((await block("urls", "c", { headers: missing })).code, "CannotVerifyCopySource");
    const body = await block("urls", "c", { headers: source, body: "x" });
    assert.equal(body.code, "InvalidHeaderValue");
    const old = await block("urls", "c", { headers: source, version: "2017-11-09" });
    assert.equal(old.code, "FeatureVersionMismatch");
  });

  test("hold together when many write and commit at once", async () => {
    const writers = Array.from({ length: 8 }, (_, index) => String(index));
    await block("race", "0", { body: "[0]" });
    await commit("race", listXml(["Latest", "0"]));
    const outcomes = await Promise.all(
      writers.flatMap((name) =>
        Array.from({ length: 10 }, async () => {
          await block("race", name, { body: `[${name}]` });
          const { status, code } = await commit("race", listXml(["Latest", "0"], ["Latest", name]));
          return code === "" ? status : code;
        }),
      ),
    );
    // A block that waits is dropped when another writer commits without it.
    const known = new Set<number | string>([201, "InvalidBlockList", "BlobOverwritten"]);
    assert.deepEqual(
      outcomes.filter((outcome) => !known.has(outcome)),
      [],
    );
    assert.ok(outcomes.includes(201));
    assert.match(await read("race"), /^\[0\]\[\d\]$/);
    const [committed = []] = await lists("race");
    assert.deepEqual([committed.length, committed.slice(0, 2)], [3, ["Committed", "0 3"]]);
  });

  test("lose their waiting blocks when they are written or deleted, or after a week", async () => {
    const headers = { "x-svc-blob-type": "BlockBlob" };
    await block("dropped", "a", { body: "x" });
    await send(storage, "box/dropped", { headers, body: "whole" });
    assert.deepEqual(await lists("dropped"), [["Committed"], ["Uncommitted"]]);
    await block("dropped", "a", { body: "x" });
    await send(storage, "box/dropped", { method: "DELETE" });
    assert.equal(await lists("dropped"), "BlobNotFound");
    await block("dropped", "a", { body: "x" });
    time += 7 * 24 * 3_600_000 + 1;
    assert.equal(await lists("dropped"), "BlobNotFound");
    await block("dropped", "longer", { body: "y" });
    assert.deepEqual(await lists("dropped"), [["Committed"], ["Uncommitted", "longer 1"]]);
  });
});
