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

const MIB = 2 ** 20;
const CONTENT = "0123456789";
const LEASE = "00000000-0000-4000-8000-000000000001";
const OTHER_LEASE = "00000000-0000-4000-8000-000000000002";
/** Of other content. */
const MD5 = Buffer.alloc(16).toString("base64");
const CRC64 = Buffer.alloc(8).toString("base64");
const HELD = { "x-svc-lease-id": LEASE };

interface Row {
  readonly when: string;
  /** Path of the target; `logs/a` has content and no lease. */
  readonly blob?: string;
  /** For both operations, for Append Block alone, and for the one from a URL. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly direct?: Readonly<Record<string, string>>;
  readonly fromUrl?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly version?: string;
  readonly status: number;
  readonly code: string;
  /** An element that the answer has beside the code. */
  readonly says?: string;
}

const ROWS: readonly Row[] = [
  {
    when: "the MD5 differs",
    direct: { "content-md5": MD5 },
    fromUrl: { "x-svc-source-content-md5": MD5 },
    status: 400,
    code: "Md5Mismatch",
  },
  {
    when: "the CRC64 differs",
    direct: { "x-svc-content-crc64": CRC64 },
    fromUrl: { "x-svc-source-content-crc64": CRC64 },
    status: 400,
    code: "Crc64Mismatch",
  },
  {
    when: "both kinds of hashes come",
    direct: { "content-md5": MD5, "x-svc-content-crc64": CRC64 },
    fromUrl: { "x-svc-source-content-md5": MD5, "x-svc-source-content-crc64": CRC64 },
    status: 400,
    code: "BothCrc64AndMd5HeaderPresent",
  },
  {
    when: "an MD5 has not 16 bytes",
    direct: { "content-md5": CRC64 },
    fromUrl: { "x-svc-source-content-md5": CRC64 },
    status: 400,
    code: "InvalidMd5",
  },
  {
    when: "a CRC64 has not 8 bytes",
    direct: { "x-svc-content-crc64": MD5 },
    fromUrl: { "x-svc-source-content-crc64": MD5 },
    status: 400,
    code: "InvalidHeaderValue",
  },
  { when: "there is no container", blob: "none/a", status: 404, code: "ContainerNotFound" },
  { when: "there is no blob", blob: "logs/none", status: 404, code: "BlobNotFound" },
  { when: "the blob is a block blob", blob: "logs/block", status: 409, code: "InvalidBlobType" },
  { when: "the blob is a page blob", blob: "logs/page", status: 409, code: "InvalidBlobType" },
  { when: "the blob is sealed", blob: "logs/sealed", status: 409, code: "BlobIsSealed" },
  {
    when: "the version is older than the operation",
    version: "2014-02-14",
    status: 409,
    code: "FeatureVersionMismatch",
  },
  {
    when: "the position has passed",
    headers: { "x-svc-blob-condition-appendpos": "3" },
    status: 412,
    code: "AppendPositionConditionNotMet",
  },
  {
    when: "the blob would become longer than it may",
    headers: { "x-svc-blob-condition-maxsize": "19" },
    status: 412,
    code: "MaxBlobSizeConditionNotMet",
  },
  {
    when: "the blob is longer already than it may be",
    headers: { "x-svc-blob-condition-maxsize": "5" },
    status: 412,
    code: "MaxBlobSizeConditionNotMet",
  },
  {
    when: "a condition does not hold",
    headers: { "if-match": '"0x8D0000000000000"' },
    status: 412,
    code: "ConditionNotMet",
  },
  {
    when: "conditions may not be combined",
    headers: { "if-match": '"0x1"', "if-none-match": '"0x1"' },
    status: 400,
    code: "MultipleConditionHeadersNotSupported",
  },
  {
    when: "the blob is leased and no id comes",
    blob: "logs/leased",
    status: 412,
    code: "LeaseIdMissing",
  },
  {
    when: "the blob is leased to another id",
    blob: "logs/leased",
    headers: { "x-svc-lease-id": OTHER_LEASE },
    status: 412,
    code: "LeaseIdMismatchWithBlobOperation",
  },
  {
    when: "an id comes and nothing is leased",
    headers: HELD,
    status: 412,
    code: "LeaseNotPresentWithBlobOperation",
  },
  {
    when: "the block is larger than it may be",
    direct: {},
    fromUrl: { "x-svc-copy-source": `${ORIGIN}/${ACCOUNT}/logs/large` },
    body: "x".repeat(4 * MIB + 1),
    version: "2021-12-02",
    status: 413,
    code: "RequestBodyTooLarge",
    says: "<MaxLimit>4194304</MaxLimit>",
  },
];

suite("what an append is refused for", () => {
  let storage: TestStorage;

  before(async () => {
    storage = await startStorage();
    for (const name of ["a", "sealed", "leased"]) {
      await createAppendBlob(storage, `logs/${name}`);
      await send(storage, `logs/${name}?comp=appendblock`, { body: CONTENT });
    }
    const acl = { headers: { "x-svc-blob-public-access": "blob" } };
    await send(storage, "logs?restype=container&comp=acl", acl);
    await send(storage, "logs/sealed?comp=seal");
    const lease = { "x-svc-lease-action": "acquire", "x-svc-lease-duration": "-1" };
    const headers = { ...lease, "x-svc-proposed-lease-id": LEASE };
    await send(storage, "logs/leased?comp=lease", { headers });
    const blockBlob = { "x-svc-blob-type": "BlockBlob" };
    await send(storage, "logs/block", { headers: blockBlob, body: CONTENT });
    await send(storage, "logs/large", { headers: blockBlob, body: "x".repeat(4 * MIB + 1) });
    const pageBlob = { "x-svc-blob-type": "PageBlob", "x-svc-blob-content-length": "512" };
    await send(storage, "logs/page", { headers: pageBlob });
  });
  after(() => storage.stop());

  const lengthOf = async () =>
    (await send(storage, "logs/a", { method: "HEAD" })).headers["content-length"];
  const versionOf = ({ version }: Row) => (version === undefined ? {} : { version });

  for (const row of ROWS) {
    const { when, blob = "logs/a", status, code, says = "<Code>" } = row;
    test(`${when}: Append Block`, async () => {
      const headers = { ...row.headers, ...row.direct };
      const { body = CONTENT } = row;
      const sent = { headers, body, ...versionOf(row) };
      const got = await send(storage, `${blob}?comp=appendblock`, sent);
      assert.deepEqual([got.status, got.code], [status, code]);
      assert.ok(got.text.includes(says), got.text);
      assert.equal(await lengthOf(), "10");
    });

    test(`${when}: Append Block From URL`, async () => {
      const source = { "x-svc-copy-source": `${ORIGIN}/${ACCOUNT}/logs/block` };
      const headers = { ...source, ...row.headers, ...row.fromUrl };
      const got = await send(storage, `${blob}?comp=appendblock`, { headers, ...versionOf(row) });
      assert.deepEqual([got.status, got.code], [status, code]);
      assert.ok(got.text.includes(says), got.text);
      assert.equal(await lengthOf(), "10");
    });
  }

  test("a body that is empty, or comes along with a source", async () => {
    const empty = await send(storage, "logs/a?comp=appendblock");
    assert.deepEqual([empty.status, empty.code], [400, "InvalidHeaderValue"]);
    assert.match(empty.text, /<HeaderName>Content-Length<\/HeaderName>/i);
    const source = { "x-svc-copy-source": `${ORIGIN}/${ACCOUNT}/logs/block` };
    const filled = await send(storage, "logs/a?comp=appendblock", { headers: source, body: "x" });
    assert.deepEqual([filled.status, filled.code], [400, "InvalidHeaderValue"]);
    assert.match(filled.text, /<HeaderName>Content-Length<\/HeaderName>/i);
    assert.equal(await lengthOf(), "10");
  });
});
