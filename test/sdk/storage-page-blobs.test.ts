import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, suite, test } from "node:test";
import {
  BlobSASPermissions,
  BlobServiceClient,
  RestError,
  StorageSharedKeyCredential,
  type ContainerClient,
} from "@azure/storage-blob";
import {
  ACCOUNT,
  KEYS,
  startStorage,
  type TestStorage,
} from "#services/storage/storage.fixture.ts";

const CREDENTIAL = new StorageSharedKeyCredential(ACCOUNT, KEYS[0].toString("base64"));
const PAGE = 512;
const MIB = 2 ** 20;

function pages(text: string, count = 1): Buffer {
  return Buffer.alloc(count * PAGE, text);
}

function isRefusal(status: number, code: string) {
  return (error: unknown) =>
    error instanceof RestError && error.statusCode === status && error.code === code;
}

suite("page blobs, through @azure/storage-blob", () => {
  let storage: TestStorage;
  let container: ContainerClient;

  before(async () => {
    const origins: string[] = [];
    storage = await startStorage({ listenersOrigins: () => origins });
    origins.push(await storage.app.listen({ host: "127.0.0.1", port: 0 }));
    const service = new BlobServiceClient(`${origins[0] ?? ""}/${ACCOUNT}`, CREDENTIAL);
    container = service.getContainerClient("disks");
    await container.create();
  });
  after(() => storage.stop());

  test("writes, clears, reads and lists pages", async () => {
    const blob = container.getPageBlobClient("a.vhd");
    await blob.create(16 * PAGE, { blobSequenceNumber: 3, metadata: { os: "none" } });
    const md5 = createHash("md5").update(pages("a", 4)).digest();
    const written = await blob.uploadPages(pages("a", 4), 2 * PAGE, 4 * PAGE, {
      transactionalContentMD5: md5,
      conditions: { ifSequenceNumberEqualTo: 3 },
    });
    assert.deepEqual([written.blobSequenceNumber, written.contentMD5], [3, md5]);
    await blob.clearPages(3 * PAGE, PAGE);
    const expected = Buffer.concat([
      Buffer.alloc(2 * PAGE),
      pages("a"),
      Buffer.alloc(PAGE),
      pages("a", 2),
      Buffer.alloc(10 * PAGE),
    ]);
    assert.ok((await blob.downloadToBuffer()).equals(expected));
    const list = await blob.getPageRanges();
    assert.deepEqual(list.pageRange, [
      { offset: 2 * PAGE, count: PAGE - 1 },
      { offset: 4 * PAGE, count: 2 * PAGE - 1 },
    ]);
    const ranges = [];
    for await (const range of blob.listPageRanges().byPage({ maxPageSize: 1 })) {
      ranges.push(range.pageRange?.map(({ start, end }) => [start, end]));
    }
    assert.deepEqual(ranges, [[[2 * PAGE, 3 * PAGE - 1]], [[4 * PAGE, 6 * PAGE - 1]]]);
  });

  test("tells what has changed since a snapshot", async () => {
    const blob = container.getPageBlobClient("b.vhd");
    await blob.create(8 * PAGE);
    await blob.uploadPages(pages("1", 3), 0, 3 * PAGE);
    const { snapshot = "" } = await blob.createSnapshot();
    await blob.uploadPages(pages("2"), PAGE, PAGE);
    await blob.clearPages(2 * PAGE, PAGE);
    const changed = await blob.getPageRangesDiff(0, 8 * PAGE, snapshot);
    assert.deepEqual(
      [changed.pageRange, changed.clearRange],
      [[{ offset: PAGE, count: PAGE - 1 }], [{ offset: 2 * PAGE, count: PAGE - 1 }]],
    );
    const url = blob.withSnapshot(snapshot).url;
    const byUrl = await blob.getPageRangesDiffForManagedDisks(0, 8 * PAGE, url);
    assert.deepEqual(byUrl.pageRange, changed.pageRange);
    const old = await blob.withSnapshot(snapshot).downloadToBuffer();
    assert.ok(old.equals(Buffer.concat([pages("1", 3), Buffer.alloc(5 * PAGE)])));
  });

  test("counts its sequence number, and grows", async () => {
    const blob = container.getPageBlobClient("c.vhd");
    await blob.create(PAGE);
    await blob.updateSequenceNumber("update", 10);
    await blob.updateSequenceNumber("max", 5);
    const { blobSequenceNumber } = await blob.updateSequenceNumber("increment");
    assert.equal(blobSequenceNumber, 11);
    await blob.resize(1024 * MIB);
    const properties = await blob.getProperties();
    assert.deepEqual(
      [properties.blobType, properties.contentLength, properties.blobSequenceNumber],
      ["PageBlob", 1024 * MIB, 11],
    );
    const refused = blob.uploadPages(pages("x"), 0, PAGE, {
      conditions: { ifSequenceNumberLessThan: 11 },
    });
    await assert.rejects(refused, isRefusal(412, "SequenceNumberConditionNotMet"));
    await assert.rejects(blob.uploadPages(pages("x"), 1, PAGE), isRefusal(416, "InvalidPageRange"));
  });

  test("takes pages from the URL of a blob, and copies a whole one", async () => {
    const source = container.getBlockBlobClient("source.bin");
    const content = Buffer.concat([pages("s", 2), pages("t", 2)]);
    await source.upload(content, content.length);
    const target = container.getPageBlobClient("d.vhd");
    await target.create(MIB);
    const expiresOn = new Date(Date.now() + 3_600_000);
    const permissions = BlobSASPermissions.parse("r");
    const url = await source.generateSasUrl({ permissions, expiresOn });
    await target.uploadPagesFromURL(url, PAGE, 4 * PAGE, 2 * PAGE);
    const copy = container.getPageBlobClient("e.vhd");
    const poller = await copy.beginCopyFromURL(target.url);
    assert.equal((await poller.pollUntilDone()).copyStatus, "success");
    await target.clearPages(0, MIB);
    const { pageRange } = await copy.getPageRanges();
    assert.deepEqual(pageRange, [{ offset: 4 * PAGE, count: 2 * PAGE - 1 }]);
    const bytes = await copy.downloadToBuffer(4 * PAGE, 2 * PAGE);
    assert.ok(bytes.equals(content.subarray(PAGE, 3 * PAGE)));
  });

  test("copies snapshots one after the other, each with what differs", async () => {
    const source = container.getPageBlobClient("disk.vhd");
    await source.create(4 * PAGE);
    const target = container.getPageBlobClient("disk.backup");
    for (const text of ["1", "2"]) {
      await source.uploadPages(pages(text), 0, PAGE);
      const { snapshot = "" } = await source.createSnapshot();
      const { copyStatus } = await target.startCopyIncremental(source.withSnapshot(snapshot).url);
      assert.equal(copyStatus, "success");
    }
    const { isIncrementalCopy, destinationSnapshot = "" } = await target.getProperties();
    assert.equal(isIncrementalCopy, true);
    const last = await target.withSnapshot(destinationSnapshot).downloadToBuffer(0, PAGE);
    assert.ok(last.equals(pages("2")));
    const refused = target.downloadToBuffer(0, PAGE);
    await assert.rejects(refused, isRefusal(409, "OperationNotAllowedOnIncrementalCopyBlob"));
  });

  test("lists page blobs with their length and sequence number", async () => {
    const listed = [];
    for await (const { name, properties } of container.listBlobsFlat({ prefix: "c" })) {
      const { blobType, contentLength, blobSequenceNumber } = properties;
      listed.push({ name, blobType, contentLength, blobSequenceNumber });
    }
    assert.deepEqual(listed, [
      { name: "c.vhd", blobType: "PageBlob", contentLength: 1024 * MIB, blobSequenceNumber: 11 },
    ]);
  });
});
