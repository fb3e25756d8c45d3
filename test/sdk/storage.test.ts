import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { after, before, suite, test } from "node:test";
import {
  AccountSASPermissions,
  AccountSASResourceTypes,
  AccountSASServices,
  BlobSASPermissions,
  BlobServiceClient,
  ContainerClient,
  generateAccountSASQueryParameters,
  generateBlobSASQueryParameters,
  RestError,
  StorageSharedKeyCredential,
} from "@azure/storage-blob";
import {
  ACCOUNT,
  KEYS,
  startStorage,
  type TestStorage,
} from "#services/storage/storage.fixture.ts";

const CREDENTIAL = new StorageSharedKeyCredential(ACCOUNT, KEYS[0].toString("base64"));
const IN_AN_HOUR = new Date(Date.now() + 3_600_000);
const FOREIGN = Buffer.from("0123456789 from another server");

suite("storage, through @azure/storage-blob", () => {
  let storage: TestStorage;
  let foreign: Server;
  let accountUrl = "";
  let foreignUrl = "";
  let container: ContainerClient;

  before(async () => {
    const origins: string[] = [];
    storage = await startStorage({ listenersOrigins: () => origins });
    origins.push(await storage.app.listen({ host: "127.0.0.1", port: 0 }));
    accountUrl = `${origins[0] ?? ""}/${ACCOUNT}`;
    foreign = createServer((request, response) => {
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
      if (request.url !== "/a.bin") return response.writeHead(404).end();
      if (first === undefined) return response.end(FOREIGN);
      const part = FOREIGN.subarray(Number(first), Number(last) + 1);
      const range = `bytes ${first}-${last}/${FOREIGN.length}`;
      return response.writeHead(206, { "content-range": range }).end(part);
    });
    foreign.listen(0, "127.0.0.1");
    await once(foreign, "listening");
    const address = foreign.address();
    foreignUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    container = new BlobServiceClient(accountUrl, CREDENTIAL).getContainerClient("logs");
    await container.create({ metadata: { purpose: "tests" } });
  });

  after(async () => {
    foreign.close();
    await storage.stop();
  });

  test("creates a container once and reads its properties", async () => {
    await assert.rejects(container.create(), isRefusal(409, "ContainerAlreadyExists"));
    const { metadata, leaseState, etag } = await container.getProperties();
    assert.deepEqual([metadata, leaseState], [{ purpose: "tests" }, "available"]);
    assert.match(etag ?? "", /^"0x8D[0-9A-F]{13}"$/);
  });

  test("appends blocks and reads them back, whole and in part", async () => {
    const blob = container.getAppendBlobClient("dir one/day#1?.log");
    await blob.create({
      metadata: { Kind_of: "log" },
      blobHTTPHeaders: { blobContentType: "text/x" },
    });
    const first = await blob.appendBlock("hello ", 6);
    const md5 = createHash("md5").update("world").digest();
    const second = await blob.appendBlock("world", 5, { transactionalContentMD5: md5 });
    const counts = [first, second].map((one) => [
      one.blobAppendOffset,
      one.blobCommittedBlockCount,
    ]);
    assert.deepEqual(counts, [
      ["0", 1],
      ["6", 2],
    ]);
    assert.deepEqual([first.contentMD5, second.contentMD5], [undefined, md5]);
    assert.equal((await blob.downloadToBuffer()).toString(), "hello world");
    assert.equal((await blob.downloadToBuffer(4, 3)).toString(), "o w");
    const properties = await blob.getProperties();
    assert.deepEqual(
      [properties.blobType, properties.contentLength, properties.contentType, properties.metadata],
      ["AppendBlob", 11, "text/x", { kind_of: "log" }],
    );
  });

  test("signs names of metadata in an order of its own, which is understood", async () => {
    const metadata = { a1: "1", a_b: "2", ab: "3", a__c: "4", _a: "5", a: "6", A_: "7", z9_9: "8" };
    const blob = container.getAppendBlobClient("metadata.log");
    await blob.create({ metadata });
    const expected = Object.entries(metadata).map(([name, value]) => [name.toLowerCase(), value]);
    const { metadata: got } = await blob.getProperties();
    assert.deepEqual({ ...got }, Object.fromEntries(expected));
  });

  test("appends from a blob of the same account by its signed URL", async () => {
    const source = container.getBlockBlobClient("source/a.bin");
    await source.upload("abcdefghij", 10);
    const target = container.getAppendBlobClient("from-url.log");
    await target.create();
    const permissions = BlobSASPermissions.parse("r");
    const sas = generateBlobSASQueryParameters(
      { containerName: "logs", blobName: "source/a.bin", permissions, expiresOn: IN_AN_HOUR },
      CREDENTIAL,
    );
    const url = `${source.url}?${sas.toString()}`;
    await target.appendBlockFromURL(url, 0, 10);
    const { blobAppendOffset, blobCommittedBlockCount } = await target.appendBlockFromURL(
      url,
      2,
      3,
    );
    assert.deepEqual([blobAppendOffset, blobCommittedBlockCount], ["10", 2]);
    assert.equal((await target.downloadToBuffer()).toString(), "abcdefghijcde");
    const refused = target.appendBlockFromURL(source.url, 0, 10);
    await assert.rejects(refused, isRefusal(401, "CannotVerifyCopySource"));
  });

  test("appends from another server", async () => {
    const target = container.getAppendBlobClient("foreign.log");
    await target.create();
    await target.appendBlockFromURL(`${foreignUrl}/a.bin`, 4, 6);
    assert.equal((await target.downloadToBuffer()).toString(), "456789");
    const missing = target.appendBlockFromURL(`${foreignUrl}/b.bin`, 0, 1);
    await assert.rejects(missing, isRefusal(404, "CannotVerifyCopySource"));
  });

  test("lets an account signature do what it allows and nothing else", async () => {
    const sas = generateAccountSASQueryParameters(
      {
        services: AccountSASServices.parse("b").toString(),
        resourceTypes: AccountSASResourceTypes.parse("o").toString(),
        permissions: AccountSASPermissions.parse("ra"),
        expiresOn: IN_AN_HOUR,
      },
      CREDENTIAL,
    );
    await container.getAppendBlobClient("sas.log").create();
    const client = new ContainerClient(`${accountUrl}/logs?${sas.toString()}`);
    const blob = client.getAppendBlobClient("sas.log");
    await blob.appendBlock("x", 1);
    assert.equal((await blob.downloadToBuffer()).toString(), "x");
    await assert.rejects(blob.delete(), isRefusal(403, "AuthorizationPermissionMismatch"));
    await assert.rejects(client.delete(), isRefusal(403, "AuthorizationResourceTypeMismatch"));
  });

  test("refuses appends whose position has passed, and tells missing blobs", async () => {
    const blob = container.getAppendBlobClient("position.log");
    await assert.rejects(blob.appendBlock("x", 1), isRefusal(404, "BlobNotFound"));
    assert.equal(await blob.exists(), false);
    await blob.createIfNotExists();
    assert.equal((await blob.createIfNotExists()).succeeded, false);
    const append = () => blob.appendBlock("x", 1, { conditions: { appendPosition: 0 } });
    await append();
    await assert.rejects(append(), isRefusal(412, "AppendPositionConditionNotMet"));
    assert.equal((await blob.deleteIfExists()).succeeded, true);
    assert.equal((await blob.deleteIfExists()).succeeded, false);
  });

  test("carries a large blob in both directions", async () => {
    const bytes = Buffer.alloc(9 * 2 ** 20, "large blob ");
    const blob = container.getBlockBlobClient("large.bin");
    const { contentMD5 } = await blob.upload(bytes, bytes.length);
    assert.deepEqual(contentMD5, createHash("md5").update(bytes).digest());
    assert.ok(bytes.equals(await blob.downloadToBuffer()));
  });
});

function isRefusal(statusCode: number, code: string) {
  return (error: unknown) => {
    assert.ok(error instanceof RestError);
    assert.deepEqual([error.statusCode, error.code], [statusCode, code]);
    return true;
  };
}
