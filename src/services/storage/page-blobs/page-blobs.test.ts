import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { after, before, suite, test } from "node:test";
import { crc64 } from "#engines/blocks/crc64.ts";
import { createAppendBlob, send, startStorage, type TestStorage } from "../storage.fixture.ts";
import { clearPages, createPageBlob, PAGE, pagesOf, writePages } from "./page-blobs.fixture.ts";

const TIB = 2 ** 40;

suite("page blobs", () => {
  let storage: TestStorage;

  before(async () => {
    storage = await startStorage();
    await createPageBlob(storage, "disks/other", 1);
  });
  after(() => storage.stop());

  function create(headers: Record<string, string>, body = "", version = "2026-10-06") {
    const all = { "x-svc-blob-type": "PageBlob", ...headers };
    return send(storage, "disks/new", { headers: all, body, version });
  }

  test("are made with a length and a sequence number, and read as zeros", async () => {
    const length = String(8 * TIB);
    const headers = {
      "x-svc-blob-content-length": length,
      "x-svc-blob-sequence-number": "9223372036854775807",
    };
    assert.equal((await create(headers)).status, 201);
    const { headers: got } = await send(storage, "disks/new", { method: "HEAD" });
    const names = ["content-length", "x-svc-blob-type", "x-svc-blob-sequence-number"];
    assert.deepEqual(
      names.map((name) => got[name]),
      [length, "PageBlob", "9223372036854775807"],
    );
    const range = { "x-svc-range": `bytes=${7 * TIB + 5}-${7 * TIB + 1_000_004}` };
    const part = await send(storage, "disks/new", { method: "GET", headers: range });
    assert.deepEqual([part.status, part.bytes.equals(Buffer.alloc(1_000_000))], [206, true]);
  });

  test("refuse a length that is none, and a body", async () => {
    const refused = [
      await create({}),
      await create({ "x-svc-blob-content-length": "513" }),
      await create({ "x-svc-blob-content-length": String(8 * TIB + PAGE) }),
      await create({ "x-svc-blob-content-length": "512" }, "x"),
      await create({
        "x-svc-blob-content-length": "512",
        "x-svc-blob-sequence-number": "9223372036854775808",
      }),
      await create({ "x-svc-blob-content-length": "512" }, "", "2009-04-14"),
    ];
    assert.deepEqual(
      refused.map(({ status, code }) => `${status} ${code}`),
      [
        "400 MissingRequiredHeader",
        ...Array.from({ length: 4 }, () => "400 InvalidHeaderValue"),
        "400 InvalidVersionForPageBlobOperation",
      ],
    );
  });

  test("take pages anywhere, and give back what was written last", async () => {
    await createPageBlob(storage, "disks/a", 8);
    const first = await writePages(storage, "disks/a", 1, { text: "a", count: 5 });
    const sum = crc64(Buffer.alloc(5 * PAGE, "a"));
    assert.deepEqual(
      [first.status, first.headers["x-svc-content-crc64"], first.headers["content-md5"]],
      [201, Buffer.from(sum).toString("base64"), undefined],
    );
    assert.equal(first.headers["x-svc-blob-sequence-number"], "0");
    const second = await writePages(storage, "disks/a", 3, { text: "b" });
    assert.ok(String(second.headers["etag"]) > String(first.headers["etag"]));
    assert.equal(await pagesOf(storage, "disks/a"), ".aabaa..");
    assert.equal((await clearPages(storage, "disks/a", 2, 3)).status, 201);
    assert.equal(await pagesOf(storage, "disks/a"), ".a...a..");
    await writePages(storage, "disks/a", 7, { text: "z" });
    assert.equal(await pagesOf(storage, "disks/a"), ".a...a.z");
  });

  test("check the hash that comes with pages", async () => {
    await createPageBlob(storage, "disks/hashed", 2);
    const body = Buffer.alloc(PAGE, "h");
    const md5 = createHash("md5").update(body).digest("base64");
    const write = { text: "h", "content-md5": md5 };
    const right = await writePages(storage, "disks/hashed", 0, write);
    assert.deepEqual([right.status, right.headers["content-md5"]], [201, md5]);
    const wrong = await writePages(storage, "disks/hashed", 1, { ...write, text: "i" });
    const crc = await writePages(storage, "disks/hashed", 1, {
      text: "i",
      "x-svc-content-crc64": "AAAAAAAAAAA=",
    });
    assert.deepEqual(
      [wrong, crc].map(({ status, code }) => `${status} ${code}`),
      ["400 Md5Mismatch", "400 Crc64Mismatch"],
    );
    assert.equal(await pagesOf(storage, "disks/hashed"), "h.");
  });

  test("refuse what is no range of their pages", async () => {
    await createPageBlob(storage, "disks/small", 4);
    const write = (headers: Record<string, string>, body: string | Buffer = "x".repeat(PAGE)) =>
      send(storage, "disks/small?comp=page", {
        headers: { "x-svc-page-write": "update", ...headers },
        body,
      });
    const refused = [
      await write({ range: "bytes=1-512" }),
      await write({ range: "bytes=0-510" }),
      await write({ range: "bytes=0-" }),
      await write({ range: "bytes=2048-2559" }),
      await write({ range: "bytes=0-511", "x-svc-page-write": "clear" }),
      await write({ range: "bytes=0-1023" }),
      await write({ range: "bytes=0-511", "x-svc-page-write": "delete" }),
      await write({}),
      await write({ range: "bytes=0-4194815" }, Buffer.alloc(4 * 2 ** 20 + PAGE)),
      await clearPages(storage, "disks/small", 3, 2),
    ];
    assert.deepEqual(
      refused.map(({ status, code }) => `${status} ${code}`),
      [
        ...Array.from({ length: 4 }, () => "416 InvalidPageRange"),
        ...Array.from({ length: 3 }, () => "400 InvalidHeaderValue"),
        "400 MissingRequiredHeader",
        "413 RequestBodyTooLarge",
        "416 InvalidPageRange",
      ],
    );
    assert.equal(await pagesOf(storage, "disks/small"), "....");
  });

  test("are told from other blobs", async () => {
    await createAppendBlob(storage, "disks/append");
    const answers = [
      await writePages(storage, "disks/append", 0, { text: "x" }),
      await writePages(storage, "disks/none", 0, { text: "x" }),
      await send(storage, "disks/append?comp=pagelist", { method: "GET" }),
      await send(storage, "disks/other?comp=appendblock", { body: "x" }),
      await send(storage, "disks/append?comp=properties", {
        headers: { "x-svc-blob-content-length": "512" },
      }),
    ];
    assert.deepEqual(
      answers.map(({ status, code }) => `${status} ${code}`),
      [
        "409 InvalidBlobType",
        "404 BlobNotFound",
        "409 InvalidBlobType",
        "409 InvalidBlobType",
        "409 InvalidBlobType",
      ],
    );
  });

  test("are written under conditions and leases as other blobs are", async () => {
    const { headers } = await createPageBlob(storage, "disks/leased", 2);
    const etag = String(headers["etag"]);
    const acquired = await send(storage, "disks/leased?comp=lease", {
      headers: { "x-svc-lease-action": "acquire", "x-svc-lease-duration": "-1" },
    });
    const id = String(acquired.headers["x-svc-lease-id"]);
    const write = (extra: Record<string, string>) =>
      writePages(storage, "disks/leased", 0, { text: "l", ...extra });
    const answers = [
      await write({}),
      await write({ "x-svc-lease-id": id, "if-match": '"0x1"' }),
      await write({ "x-svc-lease-id": id, "if-match": etag }),
    ];
    assert.deepEqual(
      answers.map(({ status, code }) => `${status} ${code}`),
      ["412 LeaseIdMissing", "412 ConditionNotMet", "201 "],
    );
  });

  test("grow and shrink; what was cut off does not come back", async () => {
    await createPageBlob(storage, "disks/resized", 4);
    await send(storage, "disks/resized?comp=properties", {
      headers: { "x-svc-blob-content-type": "disk/x" },
    });
    await writePages(storage, "disks/resized", 0, { text: "r", count: 4 });
    for (const [pages, expected] of [
      [2, "rr"],
      [5, "rr..."],
    ] as const) {
      const headers = { "x-svc-blob-content-length": String(pages * PAGE) };
      const { status } = await send(storage, "disks/resized?comp=properties", { headers });
      assert.deepEqual([status, await pagesOf(storage, "disks/resized")], [200, expected]);
    }
    const { headers } = await send(storage, "disks/resized", { method: "HEAD" });
    assert.equal(headers["content-type"], "disk/x");
  });

  test("are what another blob can be appended from, zeros and all", async () => {
    await createPageBlob(storage, "disks/source", 3);
    await writePages(storage, "disks/source", 1, { text: "s" });
    await createAppendBlob(storage, "disks/log");
    await send(storage, "disks?restype=container&comp=acl", {
      headers: { "x-svc-blob-public-access": "blob" },
    });
    const source = "http://127.0.0.1:10000/testaccount1/disks/source";
    const headers = { "x-svc-copy-source": source, "x-svc-source-range": "bytes=500-1100" };
    const appended = await send(storage, "disks/log?comp=appendblock", { headers });
    assert.equal(appended.status, 201);
    const { bytes } = await send(storage, "disks/log", { method: "GET" });
    const expected = Buffer.concat([Buffer.alloc(12), Buffer.alloc(PAGE, "s"), Buffer.alloc(77)]);
    assert.ok(bytes.equals(expected));
  });

  test("take pages from a URL, also where its blocks meet within a page", async () => {
    await createAppendBlob(storage, "disks/crumbs");
    const content = randomBytes(3 * PAGE);
    for (const [from, to] of [
      [0, 100],
      [100, 1200],
      [1200, 3 * PAGE],
    ] as const) {
      const body = content.subarray(from, to);
      await send(storage, "disks/crumbs?comp=appendblock", { body });
    }
    await createPageBlob(storage, "disks/taken", 4);
    const fromUrl = (range: string, sourceRange: string, extra: Record<string, string> = {}) =>
      send(storage, "disks/taken?comp=page", {
        headers: {
          "x-svc-page-write": "update",
          "x-svc-range": range,
          "x-svc-copy-source": "http://127.0.0.1:10000/testaccount1/disks/crumbs",
          "x-svc-source-range": sourceRange,
          ...extra,
        },
      });
    const answers = [
      await fromUrl("bytes=512-1535", "bytes=512-1535"),
      await fromUrl("bytes=0-511", "bytes=0-1023"),
      await fromUrl("bytes=0-511", "bytes=9999-10510"),
      await fromUrl("bytes=0-511", "bytes=0-511", { "x-svc-page-write": "clear" }),
      await fromUrl("bytes=0-511", "bytes=0-511", { "x-svc-if-sequence-number-lt": "0" }),
      await fromUrl("bytes=0-511", "bytes=0-511", { "x-svc-source-content-crc64": "AAAAAAAAAAA=" }),
      await fromUrl("bytes=0-4194815", "bytes=0-4194815"),
    ];
    assert.deepEqual(
      answers.map(({ status, code }) => `${status} ${code}`),
      [
        "201 ",
        "400 InvalidHeaderValue",
        "416 CannotVerifyCopySource",
        "400 InvalidHeaderValue",
        "412 SequenceNumberConditionNotMet",
        "400 Crc64Mismatch",
        "413 RequestBodyTooLarge",
      ],
    );
    const { bytes } = await send(storage, "disks/taken", { method: "GET" });
    const empty = Buffer.alloc(PAGE);
    const expected = Buffer.concat([empty, content.subarray(PAGE, 3 * PAGE), empty]);
    assert.ok(bytes.equals(expected));
  });

  test("are listed with their sequence number, in the names of the caller", async () => {
    const { text } = await send(storage, "disks?restype=container&comp=list&prefix=new", {
      method: "GET",
    });
    const shown = "<x-svc-blob-sequence-number>9223372036854775807</x-svc-blob-sequence-number>";
    assert.ok(text.includes(`<BlobType>PageBlob</BlobType>${shown}`));
    assert.ok(text.includes(`<Content-Length>${8 * TIB}</Content-Length>`));
  });
});
