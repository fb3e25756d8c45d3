import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, suite, test } from "node:test";
import {
  BlobServiceClient,
  type ContainerClient,
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

suite("leases, properties and tags, through @azure/storage-blob", () => {
  let storage: TestStorage;
  let service: BlobServiceClient;
  let container: ContainerClient;

  before(async () => {
    storage = await startStorage();
    const origin = await storage.app.listen({ host: "127.0.0.1", port: 0 });
    service = new BlobServiceClient(`${origin}/${ACCOUNT}`, CREDENTIAL);
    container = service.getContainerClient("things");
    await container.create();
  });
  after(() => storage.stop());

  test("leases a blob, and writes with the lease only", async () => {
    const blob = container.getAppendBlobClient("leased.log");
    await blob.create();
    const lease = blob.getBlobLeaseClient(randomUUID());
    const { leaseId } = await lease.acquireLease(15);
    assert.equal(leaseId, lease.leaseId);
    await assert.rejects(blob.appendBlock("x", 1), isRefusal(412, "LeaseIdMissing"));
    await blob.appendBlock("x", 1, { conditions: { leaseId: lease.leaseId } });
    const other = blob.getBlobLeaseClient(randomUUID());
    await assert.rejects(other.acquireLease(-1), isRefusal(409, "LeaseAlreadyPresent"));
    await lease.renewLease();
    const id = randomUUID();
    assert.equal((await lease.changeLease(id)).leaseId, id);
    const { leaseState, leaseStatus, leaseDuration } = await blob.getProperties();
    assert.deepEqual([leaseState, leaseStatus, leaseDuration], ["leased", "locked", "fixed"]);
    assert.equal((await lease.breakLease(5)).leaseTime, 5);
    assert.equal((await blob.getProperties()).leaseState, "breaking");
    await lease.releaseLease();
    assert.equal((await blob.getProperties()).leaseState, "available");
    await blob.delete();
  });

  test("leases a container against being deleted", async () => {
    const held = service.getContainerClient("held");
    await held.create();
    const lease = held.getBlobLeaseClient();
    await lease.acquireLease(-1);
    const { leaseState, leaseDuration } = await held.getProperties();
    assert.deepEqual([leaseState, leaseDuration], ["leased", "infinite"]);
    await assert.rejects(held.delete(), isRefusal(412, "LeaseIdMissing"));
    await held.delete({ conditions: { leaseId: lease.leaseId } });
  });

  test("sets metadata and content properties", async () => {
    await container.setMetadata({ owner: "me" });
    assert.deepEqual((await container.getProperties()).metadata, { owner: "me" });
    const blob = container.getBlockBlobClient("props.txt");
    await blob.upload("content", 7, { blobHTTPHeaders: { blobCacheControl: "no-store" } });
    await blob.setMetadata({ a: "1", b: "2" });
    await blob.setHTTPHeaders({ blobContentType: "text/plain", blobContentLanguage: "de" });
    const got = await blob.getProperties();
    assert.deepEqual(
      [got.metadata, got.contentType, got.contentLanguage, got.cacheControl],
      [{ a: "1", b: "2" }, "text/plain", "de", undefined],
    );
  });

  test("seals an append blob", async () => {
    const blob = container.getAppendBlobClient("sealed.log");
    await blob.create();
    await blob.appendBlock("x", 1);
    await blob.seal();
    await assert.rejects(blob.appendBlock("y", 1), isRefusal(409, "BlobIsSealed"));
    const { isSealed, contentLength } = await blob.getProperties();
    assert.deepEqual([isSealed, contentLength], [true, 1]);
  });

  test("tags blobs, finds them, and takes tags as conditions", async () => {
    const tags = { project: "atoll", "due date": "2026-11-21" };
    const blob = container.getBlockBlobClient("tagged & found.txt");
    await blob.upload("x", 1, { tags });
    assert.deepEqual((await blob.getTags()).tags, tags);
    assert.equal((await blob.getProperties()).tagCount, 2);
    const other = container.getBlockBlobClient("other.txt");
    await other.upload("x", 1);
    await other.setTags({ project: "else" });
    const listed = container.getBlockBlobClient("of blocks.txt");
    await listed.stageBlock("AAAA", "x", 1);
    await listed.commitBlockList(["AAAA"], { tags: { project: "blocks" }, tier: "Cold" });
    assert.deepEqual((await listed.getTags()).tags, { project: "blocks" });
    assert.equal((await listed.getProperties()).accessTier, "Cold");
    await listed.delete();
    const found: unknown[] = [];
    const where = `"project" = 'atoll' AND "due date" > '2026-01-01'`;
    for await (const { name, containerName, tags: its } of service.findBlobsByTags(where)) {
      found.push([name, containerName, its]);
    }
    assert.deepEqual(found, [["tagged & found.txt", "things", tags]]);
    const inContainer: string[] = [];
    for await (const { name } of container.findBlobsByTags("project > 'a'")) inContainer.push(name);
    assert.deepEqual(inContainer, ["other.txt", "tagged & found.txt"]);
    const conditions = { tagConditions: "project = 'else'" };
    await assert.rejects(blob.delete({ conditions }), isRefusal(412, "ConditionNotMet"));
    await other.delete({ conditions });
  });

  test("moves blobs between tiers, and to the archive and back", async () => {
    const blob = container.getBlockBlobClient("tiered.bin");
    await blob.upload("content", 7, { tier: "Cool" });
    assert.equal((await blob.getProperties()).accessTier, "Cool");
    await blob.setAccessTier("Archive");
    await assert.rejects(blob.download(), isRefusal(409, "BlobArchived"));
    await blob.setAccessTier("Hot", { rehydratePriority: "High" });
    assert.equal((await blob.downloadToBuffer()).toString(), "content");
  });
});

function isRefusal(statusCode: number, code: string) {
  return (error: unknown) => {
    assert.ok(error instanceof RestError);
    assert.deepEqual([error.statusCode, error.code], [statusCode, code]);
    return true;
  };
}
