import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, suite, test } from "node:test";
import { crc64 } from "#engines/blocks/crc64.ts";
import { base64 } from "../protocol/checksums.ts";
import {
  createAppendBlob,
  send,
  startStorage,
  type Sent,
  type TestStorage,
} from "../storage.fixture.ts";

const md5 = (text: string) => createHash("md5").update(text).digest("base64");
const crc = (text: string) => base64(crc64(Buffer.from(text)));

suite("Append Block", () => {
  let storage: TestStorage;
  before(async () => (storage = await startStorage()));
  after(() => storage.stop());

  const append = (path: string, body: string, sent: Sent = {}) =>
    send(storage, `${path}?comp=appendblock`, { ...sent, body });
  const read = async (path: string) => (await send(storage, path, { method: "GET" })).text;

  test("answers with the block's place and the checksum that it owes", async () => {
    await createAppendBlob(storage, "answers/a");
    const names = [
      "x-svc-blob-append-offset",
      "x-svc-blob-committed-block-count",
      "content-md5",
      "x-svc-content-crc64",
      "x-svc-request-server-encrypted",
    ];
    const answer = async (sent: Sent) => {
      const { status, headers } = await append("answers/a", "hello", sent);
      return [status, ...names.map((name) => headers[name])];
    };
    assert.deepEqual(await answer({}), [201, "0", "1", undefined, crc("hello"), "false"]);
    const withMd5 = await answer({ headers: { "content-md5": md5("hello") } });
    assert.deepEqual(withMd5, [201, "5", "2", md5("hello"), undefined, "false"]);
    const old = await answer({ version: "2018-11-09" });
    assert.deepEqual(old, [201, "10", "3", md5("hello"), undefined, "false"]);
    const oldest = await answer({ version: "2015-02-21" });
    assert.deepEqual(oldest, [201, "15", "4", md5("hello"), undefined, undefined]);
    assert.equal(await read("answers/a"), "hello".repeat(4));
  });

  test("refuses what it cannot append, and appends nothing then", async () => {
    await createAppendBlob(storage, "refused/a");
    const headers = { "x-svc-blob-type": "BlockBlob" };
    await send(storage, "refused/block", { headers, body: "x" });
    const refusal = async (path: string, body: string, sent: Sent = {}) => {
      const { status, code } = await append(path, body, sent);
      return [status, code];
    };
    assert.deepEqual(await refusal("refused/a", ""), [400, "InvalidHeaderValue"]);
    assert.deepEqual(await refusal("refused/no", "x"), [404, "BlobNotFound"]);
    assert.deepEqual(await refusal("nowhere/a", "x"), [404, "ContainerNotFound"]);
    assert.deepEqual(await refusal("refused/block", "x"), [409, "InvalidBlobType"]);
    const old = { version: "2014-02-14" };
    assert.deepEqual(await refusal("refused/a", "x", old), [409, "FeatureVersionMismatch"]);
    const hashes: [Record<string, string>, string][] = [
      [{ "content-md5": md5("other") }, "Md5Mismatch"],
      [{ "x-svc-content-crc64": crc("other") }, "Crc64Mismatch"],
      [{ "content-md5": "x" }, "InvalidMd5"],
      [{ "x-svc-content-crc64": "x" }, "InvalidHeaderValue"],
      [
        { "content-md5": md5("x"), "x-svc-content-crc64": crc("x") },
        "BothCrc64AndMd5HeaderPresent",
      ],
    ];
    for (const [sent, code] of hashes) {
      assert.deepEqual(await refusal("refused/a", "x", { headers: sent }), [400, code]);
    }
    const unknown = { headers: { "x-svc-content-crc64": crc("x") }, version: "2018-11-09" };
    assert.deepEqual(await refusal("refused/a", "x", unknown), [400, "UnsupportedHeader"]);
    const longer = { headers: { "content-length": "5" } };
    assert.deepEqual(await refusal("refused/a", "x", longer), [400, "InvalidOperation"]);
    assert.equal(await read("refused/a"), "");
  });

  test("refuses blocks over the limit of the version, and names the limit", async () => {
    await createAppendBlob(storage, "limits/a");
    const limits: [string, number][] = [
      ["2021-12-02", 4_194_304],
      ["2022-11-02", 104_857_600],
    ];
    for (const [version, limit] of limits) {
      const headers = { "content-length": String(limit + 1) };
      const { status, code, text } = await append("limits/a", "", { version, headers });
      assert.deepEqual([status, code], [413, "RequestBodyTooLarge"]);
      assert.ok(text.includes(`</Message><MaxLimit>${limit}</MaxLimit></Error>`));
    }
  });

  test("holds to position, size and the other conditions", async () => {
    await createAppendBlob(storage, "conditions/a");
    const { headers: first } = await append("conditions/a", "12345");
    const refusal = async (headers: Record<string, string>) => {
      const { status, code } = await append("conditions/a", "678", { headers });
      return [status, code];
    };
    const position = "x-svc-blob-condition-appendpos";
    const size = "x-svc-blob-condition-maxsize";
    const lease = { "x-svc-lease-id": "00000000-0000-0000-0000-000000000000" };
    const wrong = await refusal({ [position]: "4" });
    assert.deepEqual(wrong, [412, "AppendPositionConditionNotMet"]);
    assert.deepEqual(await refusal({ [size]: "7" }), [412, "MaxBlobSizeConditionNotMet"]);
    assert.deepEqual(await refusal({ [position]: "-1" }), [400, "InvalidHeaderValue"]);
    assert.deepEqual(await refusal({ "if-match": '"0x1"' }), [412, "ConditionNotMet"]);
    const none = { "if-none-match": String(first["etag"]) };
    assert.deepEqual(await refusal(none), [412, "ConditionNotMet"]);
    assert.deepEqual(await refusal(lease), [412, "LeaseNotPresentWithBlobOperation"]);
    const three = {
      "if-match": "*",
      "if-none-match": "*",
      "if-modified-since": new Date().toUTCString(),
    };
    assert.deepEqual(await refusal(three), [400, "MultipleConditionHeadersNotSupported"]);
    const list = { "if-match": '"0x1","0x2"' };
    assert.deepEqual(await refusal(list), [400, "MultipleConditionHeadersNotSupported"]);
    const met = { [position]: "5", [size]: "8", "if-match": String(first["etag"]) };
    assert.deepEqual(await refusal(met), [201, ""]);
    assert.equal(await read("conditions/a"), "12345678");
  });

  test("gives 16 writers at once places that are unique and without gaps", async () => {
    await createAppendBlob(storage, "race/a");
    const writers = Array.from({ length: 16 }, (_, writer) => writer);
    const appended = await Promise.all(
      writers.map(async (writer) => {
        const own: [number, number, string][] = [];
        for (let turn = 0; turn < 25; turn += 1) {
          const body = `<${writer}.${turn}>`.padEnd(8 + (turn % 5), "-");
          const { headers } = await append("race/a", body);
          const offset = Number(headers["x-svc-blob-append-offset"]);
          own.push([offset, Number(headers["x-svc-blob-committed-block-count"]), body]);
        }
        return own;
      }),
    );
    const blocks = appended.flat().toSorted(([left], [right]) => left - right);
    const text = await read("race/a");
    let end = 0;
    for (const [index, [offset, count, body]] of blocks.entries()) {
      assert.deepEqual([offset, count], [end, index + 1]);
      assert.equal(text.slice(offset, offset + body.length), body);
      end += body.length;
    }
    assert.deepEqual([blocks.length, text.length], [400, end]);
  });

  test("lets one of many writers at the same position win", async () => {
    await createAppendBlob(storage, "winner/a");
    const headers = { "x-svc-blob-condition-appendpos": "0" };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => append("winner/a", "x", { headers })),
    );
    const codes = answers.map(({ code }) => code).toSorted();
    assert.deepEqual(codes, ["", ...Array<string>(7).fill("AppendPositionConditionNotMet")]);
    assert.equal(await read("winner/a"), "x");
  });
});
