import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, suite, test } from "node:test";
import { crc64 } from "#engines/blocks/crc64.ts";
import { base64 } from "../protocol/checksums.ts";
import {
  ACCOUNT,
  createAppendBlob,
  ORIGIN,
  send,
  startStorage,
  TOKENS,
  type Sent,
  type TestStorage,
} from "../storage.fixture.ts";

const md5 = (text: string) => createHash("md5").update(text).digest("base64");
const crc = (text: string) => base64(crc64(Buffer.from(text)));
const url = (path: string) => `${ORIGIN}/${ACCOUNT}/${path}`;

suite("Append Block From URL, from a blob of the same store", () => {
  let storage: TestStorage;
  before(async () => {
    storage = await startStorage();
    const open = { "x-svc-blob-public-access": "blob" };
    await send(storage, "open?restype=container", { headers: open });
    await send(storage, "closed?restype=container");
    const appendBlob = { "x-svc-blob-type": "AppendBlob" };
    await send(storage, "open/source", { headers: appendBlob });
    for (const body of ["abc", "defg", "hi"]) {
      await send(storage, "open/source?comp=appendblock", { body });
    }
    const blockBlob = { "x-svc-blob-type": "BlockBlob" };
    await send(storage, "closed/secret", { headers: blockBlob, body: "secret" });
    await send(storage, "open/empty", { headers: blockBlob });
  });
  after(() => storage.stop());

  const append = (path: string, source: string, sent: Sent = {}) =>
    send(storage, `${path}?comp=appendblock`, {
      ...sent,
      headers: { "x-svc-copy-source": source, ...sent.headers },
    });
  const read = async (path: string) => (await send(storage, path, { method: "GET" })).text;
  const outcome = async (path: string, source: string, sent: Sent = {}) => {
    const { status, code } = await append(path, source, sent);
    return [status, code];
  };

  test("takes the whole or a range as one block, with the checksum of just that", async () => {
    await createAppendBlob(storage, "closed/ranges");
    const ranges: [string | undefined, string][] = [
      [undefined, "abcdefghi"],
      ["bytes=0-", "abcdefghi"],
      ["bytes=0-2", "abc"],
      ["bytes=1-7", "bcdefgh"],
      ["bytes=4-4", "e"],
      ["bytes=7-", "hi"],
      ["bytes=8-99", "i"],
    ];
    let expected = "";
    for (const [index, [range, text]] of ranges.entries()) {
      const headers = range === undefined ? {} : { "x-svc-source-range": range };
      const { status, headers: got } = await append("closed/ranges", url("open/source"), {
        headers,
      });
      const offset = Number(got["x-svc-blob-append-offset"]);
      const count = Number(got["x-svc-blob-committed-block-count"]);
      assert.deepEqual(
        [status, offset, count, got["x-svc-content-crc64"], got["content-md5"]],
        [201, expected.length, index + 1, crc(text), undefined],
      );
      expected += text;
    }
    assert.equal(await read("closed/ranges"), expected);
  });

  test("appends a blob to itself", async () => {
    await createAppendBlob(storage, "open/self");
    await send(storage, "open/self?comp=appendblock", { body: "ab" });
    for (let turn = 0; turn < 3; turn += 1) await append("open/self", url("open/self"));
    const { headers, text } = await send(storage, "open/self", { method: "GET" });
    assert.deepEqual([text, headers["x-svc-blob-committed-block-count"]], ["ab".repeat(8), "4"]);
  });

  test("holds together a blob of thousands of small pieces", async () => {
    await createAppendBlob(storage, "open/crumbs");
    await send(storage, "open/crumbs?comp=appendblock", { body: "ab" });
    for (let turn = 0; turn < 12; turn += 1) await append("open/crumbs", url("open/crumbs"));
    const first = { "x-svc-source-range": "bytes=0-1" };
    await append("open/crumbs", url("open/crumbs"), { headers: first });
    const text = "ab".repeat(2 ** 12 + 1);
    assert.equal(await read("open/crumbs"), text);
    const range = { "x-svc-range": "bytes=1-8192" };
    const part = await send(storage, "open/crumbs", { method: "GET", headers: range });
    assert.equal(part.text, text.slice(1, 8193));
    await createAppendBlob(storage, "open/copy");
    const { headers } = await append("open/copy", url("open/crumbs"));
    assert.equal(headers["x-svc-content-crc64"], crc(text));
    assert.equal(await read("open/copy"), text);
  });

  test("keeps the bytes when the source is deleted", async () => {
    const headers = { "x-svc-blob-type": "BlockBlob" };
    await send(storage, "open/gone", { headers, body: "kept" });
    await createAppendBlob(storage, "closed/keeps");
    await append("closed/keeps", url("open/gone"));
    await send(storage, "open/gone", { method: "DELETE" });
    assert.equal(await read("closed/keeps"), "kept");
  });

  test("checks the source against its hashes, and returns the one that it owes", async () => {
    await createAppendBlob(storage, "closed/hashes");
    const answer = async (headers: Record<string, string>, version?: string) => {
      const sent = { headers, ...(version !== undefined && { version }) };
      const { code, headers: got } = await append("closed/hashes", url("open/source"), sent);
      return [code, got["content-md5"], got["x-svc-content-crc64"]];
    };
    const [source, none] = ["abcdefghi", undefined];
    const sourceMd5 = "x-svc-source-content-md5";
    const sourceCrc = "x-svc-source-content-crc64";
    assert.deepEqual(await answer({ [sourceMd5]: md5(source) }), ["", md5(source), none]);
    assert.deepEqual(await answer({ [sourceCrc]: crc(source) }), ["", none, crc(source)]);
    assert.deepEqual(await answer({ "content-md5": md5(source) }), ["", md5(source), crc(source)]);
    assert.deepEqual(await answer({}, "2018-11-09"), ["", md5(source), none]);
    assert.deepEqual(await answer({ [sourceMd5]: md5("x") }), ["Md5Mismatch", none, none]);
    assert.deepEqual(await answer({ [sourceCrc]: crc("x") }), ["Crc64Mismatch", none, none]);
    const both = { [sourceMd5]: md5(source), [sourceCrc]: crc(source) };
    assert.deepEqual(await answer(both), ["BothCrc64AndMd5HeaderPresent", none, none]);
    assert.equal(await read("closed/hashes"), source.repeat(4));
  });

  test("asks the source for credentials of its own", async () => {
    await createAppendBlob(storage, "closed/access");
    const secret = url("closed/secret");
    const { status, code, text, headers } = await append("closed/access", secret);
    assert.deepEqual([status, code], [401, "CannotVerifyCopySource"]);
    assert.match(text, /<CopySourceStatusCode>401<\/CopySourceStatusCode>/);
    assert.match(text, /<CopySourceErrorCode>NoAuthenticationInformation</);
    assert.equal(headers["x-svc-copy-source-status-code"], "401");
    assert.equal(headers["x-svc-copy-source-error-code"], "NoAuthenticationInformation");
    const bearer = (token: string) => ({
      headers: { "x-svc-copy-source-authorization": `Bearer ${token}` },
    });
    const { reader = "", nobody = "" } = TOKENS;
    const refused = "CannotVerifyCopySource";
    assert.deepEqual(await outcome("closed/access", secret, bearer(nobody)), [403, refused]);
    assert.deepEqual(await outcome("closed/access", secret, bearer("unknown")), [401, refused]);
    assert.deepEqual(await outcome("closed/access", secret, bearer("two words")), [400, refused]);
    assert.deepEqual(await outcome("closed/access", secret, bearer(reader)), [201, ""]);
    const early = { ...bearer(reader), version: "2019-12-12" };
    assert.deepEqual(await outcome("closed/access", secret, early), [400, "UnsupportedHeader"]);
    assert.deepEqual(await outcome("closed/access", `${secret}?sig=x&sv=1`), [403, refused]);
    assert.equal(await read("closed/access"), "secret");
  });

  test("refuses sources that are missing, empty, too large or behind their end", async () => {
    await createAppendBlob(storage, "closed/sources");
    const refused = "CannotVerifyCopySource";
    const of = (source: string, headers = {}) =>
      outcome("closed/sources", url(source), { headers });
    assert.deepEqual(await of("open/missing"), [404, refused]);
    assert.deepEqual(await of("open/source?versionid=2026-01-01T00:00:00Z"), [404, refused]);
    assert.deepEqual(await of("open/source?snapshot=2026-01-01T00:00:00Z"), [404, refused]);
    assert.deepEqual(await of("open/empty"), [400, "InvalidHeaderValue"]);
    const behind = { "x-svc-source-range": "bytes=9-" };
    assert.deepEqual(await of("open/source", behind), [416, refused]);
    const malformed = { "x-svc-source-range": "bytes=-5" };
    assert.deepEqual(await of("open/source", malformed), [400, "InvalidHeaderValue"]);
    const large = "x".repeat(4 * 2 ** 20 + 1);
    await send(storage, "open/large", { headers: { "x-svc-blob-type": "BlockBlob" }, body: large });
    const tooLarge = await append("closed/sources", url("open/large"), { version: "2021-12-02" });
    assert.deepEqual([tooLarge.status, tooLarge.code], [413, "RequestBodyTooLarge"]);
    assert.match(tooLarge.text, /<MaxLimit>4194304<\/MaxLimit>/);
    const part = { "x-svc-source-range": "bytes=1-4194304" };
    const fits = { version: "2021-12-02", headers: part };
    assert.deepEqual(await outcome("closed/sources", url("open/large"), fits), [201, ""]);
    assert.equal((await read("closed/sources")).length, 4 * 2 ** 20);
  });

  test("holds to conditions on the source and on the target", async () => {
    await createAppendBlob(storage, "closed/conditions");
    const of = (headers: Record<string, string>, version = "2022-11-02") =>
      outcome("closed/conditions", url("open/source"), { headers, version });
    const other = { "x-svc-source-if-match": '"0x1"' };
    assert.deepEqual(await of(other), [412, "SourceConditionNotMet"]);
    assert.deepEqual(await of(other, "2019-02-02"), [412, "CannotVerifyCopySource"]);
    const { etag } = (await send(storage, "open/source", { method: "HEAD" })).headers;
    const same = { "x-svc-source-if-none-match": String(etag) };
    assert.deepEqual(await of(same), [412, "SourceConditionNotMet"]);
    const position = { "x-svc-blob-condition-appendpos": "1" };
    assert.deepEqual(await of(position), [412, "AppendPositionConditionNotMet"]);
    const size = { "x-svc-blob-condition-maxsize": "8" };
    assert.deepEqual(await of(size), [412, "MaxBlobSizeConditionNotMet"]);
    const met = { "x-svc-source-if-match": String(etag), "x-svc-blob-condition-maxsize": "9" };
    assert.deepEqual(await of(met), [201, ""]);
  });

  test("refuses requests of the wrong form", async () => {
    await createAppendBlob(storage, "closed/form");
    const invalid = [400, "InvalidHeaderValue"];
    const of = (source: string, sent: Sent = {}) => outcome("closed/form", source, sent);
    assert.deepEqual(await of(url("open/source"), { body: "x" }), invalid);
    assert.deepEqual(await of("not a url"), invalid);
    assert.deepEqual(await of("ftp://example.test/a"), invalid);
    assert.deepEqual(await of("http://user:password@127.0.0.1/a"), invalid);
    assert.deepEqual(await of(url(`open/${"a".repeat(2048)}`)), invalid);
    const old = { version: "2017-11-09" };
    assert.deepEqual(await of(url("open/source"), old), [409, "FeatureVersionMismatch"]);
    const block = { "x-svc-blob-type": "BlockBlob" };
    await send(storage, "closed/block", { headers: block, body: "x" });
    const onBlock = await outcome("closed/block", url("open/source"));
    assert.deepEqual(onBlock, [409, "InvalidBlobType"]);
    const missing = await outcome("closed/no", url("open/source"));
    assert.deepEqual(missing, [404, "BlobNotFound"]);
    for (const name of ["x-svc-default-encryption-scope", "x-svc-upn", "x-svc-legal-hold"]) {
      const feature = { headers: { [name]: "x" } };
      assert.deepEqual(await of(url("open/source"), feature), [501, "APINotImplemented"]);
    }
    const intent = { headers: { "x-svc-file-request-intent": "restore" } };
    assert.deepEqual(await of(url("open/source"), intent), invalid);
    const timeout = "closed/form?comp=appendblock&timeout=soon";
    const headers = { "x-svc-copy-source": url("open/source") };
    const { code } = await send(storage, timeout, { headers });
    assert.equal(code, "InvalidQueryParameterValue");
    assert.equal(await read("closed/form"), "");
  });
});
