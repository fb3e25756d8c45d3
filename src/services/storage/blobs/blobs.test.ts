import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, suite, test } from "node:test";
import { crc64 } from "#engines/blocks/crc64.ts";
import { base64 } from "../protocol/checksums.ts";
import { send, startStorage, type Sent, type TestStorage } from "../storage.fixture.ts";

const BLOCK = { "x-svc-blob-type": "BlockBlob" };
const md5 = (text: string) => createHash("md5").update(text).digest("base64");
const crc = (text: string) => base64(crc64(Buffer.from(text)));

suite("block blobs", () => {
  let storage: TestStorage;
  before(async () => {
    storage = await startStorage();
    await send(storage, "c?restype=container".replace("c?", "blobs?"));
  });
  after(() => storage.stop());

  const put = (name: string, body: string, sent: Sent = {}) =>
    send(storage, `blobs/${name}`, { ...sent, body, headers: { ...BLOCK, ...sent.headers } });
  const get = (name: string, headers = {}, sent: Sent = {}) =>
    send(storage, `blobs/${name}`, { method: "GET", headers, ...sent });

  test("come back with the properties that they were put with", async () => {
    const headers = {
      "content-type": "text/plain",
      "x-svc-blob-content-type": "text/html",
      "x-svc-blob-cache-control": "no-store",
      "x-svc-blob-content-disposition": "inline",
      "x-svc-meta-a": "1",
    };
    const { status, headers: answered } = await put("dir/x%20y%2Fz", "hello", { headers });
    const { etag } = answered;
    assert.deepEqual(
      [status, answered["content-md5"], answered["x-svc-content-crc64"]],
      [201, md5("hello"), "V0JSBnCFdzM="],
    );
    const { text, headers: got } = await get("dir/x%20y/z");
    const names = ["etag", "content-type", "cache-control", "content-disposition", "content-md5"];
    const more = ["x-svc-meta-a", "x-svc-blob-type", "accept-ranges", "content-length"];
    assert.deepEqual(
      [text, ...[...names, ...more].map((name) => got[name])],
      [
        "hello",
        etag,
        "text/html",
        "no-store",
        "inline",
        md5("hello"),
        "1",
        "BlockBlob",
        "bytes",
        "5",
      ],
    );
    const head = await send(storage, "blobs/dir/x%20y/z", { method: "HEAD" });
    assert.deepEqual([head.status, head.headers["content-length"], head.text], [200, "5", ""]);
  });

  test("of no bytes are blobs as well", async () => {
    await put("empty", "");
    const { status, headers } = await get("empty");
    assert.deepEqual([status, headers["content-length"]], [200, "0"]);
    const ranged = await get("empty", { range: "bytes=0-" });
    assert.deepEqual([ranged.status, ranged.code], [416, "InvalidRange"]);
    assert.equal(ranged.headers["content-range"], "bytes */0");
  });

  test("are read in ranges, the protocol's header before that of HTTP", async () => {
    await put("ranges", "0123456789");
    const read = async (headers: Record<string, string>) => {
      const { status, text, headers: got, code } = await get("ranges", headers);
      return [status, code === "" ? text : code, got["content-range"]];
    };
    assert.deepEqual(await read({ range: "bytes=2-4" }), [206, "234", "bytes 2-4/10"]);
    assert.deepEqual(await read({ range: "bytes=8-" }), [206, "89", "bytes 8-9/10"]);
    assert.deepEqual(await read({ range: "bytes=8-99" }), [206, "89", "bytes 8-9/10"]);
    const both = { range: "bytes=0-0", "x-svc-range": "bytes=9-9" };
    assert.deepEqual(await read(both), [206, "9", "bytes 9-9/10"]);
    assert.deepEqual(await read({ range: "bytes=10-" }), [416, "InvalidRange", "bytes */10"]);
    assert.deepEqual(await read({ range: "lines=1-" }), [200, "0123456789", undefined]);
    const malformed = await read({ "x-svc-range": "bytes=5-2" });
    assert.deepEqual(malformed, [400, "InvalidHeaderValue", undefined]);
  });

  test("tell the checksum of a range when asked", async () => {
    await put("sums", "0123456789");
    const ranged = { "x-svc-range": "bytes=1-3" };
    const asMd5 = await get("sums", { ...ranged, "x-svc-range-get-content-md5": "true" });
    assert.equal(asMd5.headers["content-md5"], md5("123"));
    assert.equal(asMd5.headers["x-svc-blob-content-md5"], md5("0123456789"));
    const asCrc = await get("sums", { ...ranged, "x-svc-range-get-content-crc64": "true" });
    assert.equal(asCrc.headers["x-svc-content-crc64"], crc("123"));
    const whole = await get("sums", { "x-svc-range-get-content-md5": "true" });
    assert.deepEqual([whole.status, whole.code], [400, "OutOfRangeInput"]);
  });

  test("are checked against the hashes that come with them, and else left alone", async () => {
    await put("checked", "before");
    const refused = async (headers: Record<string, string>) =>
      (await put("checked", "hello", { headers })).code;
    assert.equal(await refused({ "content-md5": md5("other") }), "Md5Mismatch");
    assert.equal(await refused({ "x-svc-blob-content-md5": md5("other") }), "Md5Mismatch");
    assert.equal(await refused({ "x-svc-content-crc64": crc("other") }), "Crc64Mismatch");
    assert.equal(await refused({ "content-md5": "AAAA" }), "InvalidMd5");
    assert.equal(await refused({ "x-svc-content-crc64": "AAAA" }), "InvalidHeaderValue");
    const both = { "content-md5": md5("hello"), "x-svc-content-crc64": crc("hello") };
    assert.equal(await refused(both), "BothCrc64AndMd5HeaderPresent");
    assert.equal((await get("checked")).text, "before");
    assert.equal(await refused({ "content-md5": md5("hello") }), "");
  });

  test("are put only in forms that are known", async () => {
    const codes: string[] = [];
    for (const type of ["PageBlob", "Other", ""]) {
      codes.push((await put("form", "", { headers: { "x-svc-blob-type": type } })).code);
    }
    const missing = "MissingRequiredHeader";
    assert.deepEqual(codes, [missing, "InvalidHeaderValue", missing]);
    const filled = await put("form", "x", { headers: { "x-svc-blob-type": "AppendBlob" } });
    assert.equal(filled.code, "InvalidHeaderValue");
    const large = { "content-length": String(64 * 2 ** 20 + 1) };
    const old = await put("form", "", { headers: large, version: "2015-12-11" });
    assert.deepEqual([old.status, old.code], [413, "RequestBodyTooLarge"]);
    assert.match(old.text, /<MaxLimit>67108864<\/MaxLimit>/);
    const early = await put("form", "", {
      headers: { "x-svc-blob-type": "AppendBlob" },
      version: "2014-02-14",
    });
    assert.deepEqual([early.status, early.code], [409, "FeatureVersionMismatch"]);
  });

  test("are overwritten and deleted under conditions", async () => {
    await put("race", "1");
    const create = await put("race", "2", { headers: { "if-none-match": "*" } });
    assert.deepEqual([create.status, create.code], [409, "BlobAlreadyExists"]);
    const other = await put("race", "2", { headers: { "if-match": '"0x8D0"' } });
    assert.deepEqual([other.status, other.code], [412, "ConditionNotMet"]);
    const missing = await put("missing", "2", { headers: { "if-match": "*" } });
    assert.deepEqual([missing.status, missing.code], [412, "ConditionNotMet"]);
    const { etag } = (await get("race")).headers;
    const matched = await put("race", "2", { headers: { "if-match": String(etag) } });
    assert.equal(matched.status, 201);
    const remove = (headers: Record<string, string> = {}) =>
      send(storage, "blobs/race", { method: "DELETE", headers });
    assert.equal((await remove({ "if-match": String(etag) })).code, "ConditionNotMet");
    assert.equal((await remove({ "x-svc-delete-snapshots": "only" })).status, 202);
    assert.equal((await remove({ "x-svc-delete-snapshots": "include" })).status, 202);
    assert.equal((await remove()).code, "BlobNotFound");
  });

  test("are read under conditions: 304 to who has it, 412 to who has another", async () => {
    await put("conditional", "1");
    const { etag, "last-modified": modified } = (await get("conditional")).headers;
    const read = async (headers: Record<string, string>, sent: Sent = {}) => {
      const { status, text, headers: got } = await get("conditional", headers, sent);
      return [status, status === 200 ? text : got["x-svc-error-code"]];
    };
    const unmodified = [304, "ConditionNotMet"];
    assert.deepEqual(await read({ "if-none-match": `"0x1", ${String(etag)}` }), unmodified);
    const same = await get("conditional", { "if-none-match": String(etag) });
    assert.equal(same.headers["etag"], etag);
    assert.deepEqual(await read({ "if-modified-since": String(modified) }), unmodified);
    assert.deepEqual(await read({ "if-match": '"0x1"' }), [412, "ConditionNotMet"]);
    assert.deepEqual(await read({ "if-match": `"0x1",${String(etag)}` }), [200, "1"]);
    assert.deepEqual(await read({ "if-unmodified-since": String(modified) }), [200, "1"]);
    assert.deepEqual(await read({ "if-none-match": "*" }), [400, "UnsatisfiableCondition"]);
    const list = { headers: { "if-match": `"0x1",${String(etag)}` }, version: "2012-02-12" };
    assert.equal((await get("conditional", {}, list)).code, "MultipleConditionHeadersNotSupported");
  });

  test("carry no quotes around the entity tag before 2011-08-18", async () => {
    await put("quotes", "1");
    const { headers } = await get("quotes", {}, { version: "2009-09-19" });
    assert.match(String(headers["etag"]), /^0x8D[0-9A-F]{13}$/);
  });

  test("of many bytes stream in and out", async () => {
    const large = "0123456789abcdef".repeat(100_000);
    const { headers } = await put("large", large);
    assert.equal(headers["content-md5"], md5(large));
    assert.equal((await get("large")).text, large);
    const part = await get("large", { "x-svc-range": "bytes=1000000-1599999" });
    assert.equal(part.text, large.slice(1_000_000));
  });
});
