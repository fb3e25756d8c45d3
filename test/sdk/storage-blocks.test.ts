import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, before, suite, test } from "node:test";
import {
  BlobSASPermissions,
  BlobServiceClient,
  generateBlobSASQueryParameters,
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
const IN_AN_HOUR = new Date(Date.now() + 3_600_000);
const MIB = 2 ** 20;
const id = (number: number) => Buffer.from(String(number).padStart(6, "0")).toString("base64");

suite("block lists, copies and snapshots, through @azure/storage-blob", () => {
  let storage: TestStorage;
  let foreign: Server;
  let foreignUrl = "";
  let container: ContainerClient;

  before(async () => {
    const origins: string[] = [];
    storage = await startStorage({ listenersOrigins: () => origins });
    origins.push(await storage.app.listen({ host: "127.0.0.1", port: 0 }));
    foreign = createServer((request, response) => {
      response.writeHead(200, { "content-type": "text/far" });
      if (request.url === "/endless") return response.write("never done");
      return response.end("from afar");
    });
    foreign.listen(0, "127.0.0.1");
    await once(foreign, "listening");
    const address = foreign.address();
    foreignUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const service = new BlobServiceClient(`${origins[0] ?? ""}/${ACCOUNT}`, CREDENTIAL);
    container = service.getContainerClient("blocks");
    await container.create();
  });

  after(async () => {
    await storage.stop();
    foreign.closeAllConnections();
    foreign.close();
  });

  const signed = (name: string) => {
    const permissions = BlobSASPermissions.parse("r");
    const values = { containerName: "blocks", blobName: name, permissions, expiresOn: IN_AN_HOUR };
    const sas = generateBlobSASQueryParameters(values, CREDENTIAL);
    return `${container.getBlobClient(name).url}?${sas.toString()}`;
  };

  test("uploads a stream, a file and a buffer in many blocks at once", async () => {
    const bytes = randomBytes(5 * MIB + 17);
    const stream = container.getBlockBlobClient("stream.bin");
    await stream.uploadStream(Readable.from([bytes], { objectMode: false }), 64 * 1024, 8);
    assert.ok(bytes.equals(await stream.downloadToBuffer()));
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-upload-"));
    const path = join(folder.path, "file.bin");
    await writeFile(path, bytes);
    const options = { blockSize: 256 * 1024, maxSingleShotSize: 1024, concurrency: 8 };
    const file = container.getBlockBlobClient("file.bin");
    await file.uploadFile(path, options);
    assert.ok(bytes.equals(await file.downloadToBuffer()));
    const buffer = container.getBlockBlobClient("buffer.bin");
    const blobHTTPHeaders = { blobContentType: "text/x" };
    await buffer.uploadData(bytes, { ...options, blobHTTPHeaders, metadata: { a: "1" } });
    const { contentLength, contentType, metadata } = await buffer.getProperties();
    assert.deepEqual([contentLength, contentType, metadata], [bytes.length, "text/x", { a: "1" }]);
  });

  test("stages, lists and commits blocks, some of them from URLs", async () => {
    await container.getBlockBlobClient("source.txt").upload("0123456789", 10);
    const blob = container.getBlockBlobClient("staged.txt");
    await blob.stageBlock(id(1), "one", 3);
    await blob.stageBlockFromURL(id(2), signed("source.txt"), 2, 5);
    const { uncommittedBlocks, committedBlocks } = await blob.getBlockList("all");
    const shown = [{ name: id(1), size: 3 }].concat({ name: id(2), size: 5 });
    assert.deepEqual([uncommittedBlocks, committedBlocks], [shown, []]);
    await blob.commitBlockList([id(2), id(1)]);
    assert.equal((await blob.downloadToBuffer()).toString(), "23456one");
    const missing = blob.commitBlockList([id(3)]);
    await assert.rejects(missing, isRefusal(400, "InvalidBlockList"));
  });

  test("copies and puts from URLs", async () => {
    const source = container.getBlockBlobClient("origin.txt");
    const headers = { blobHTTPHeaders: { blobContentType: "text/x" } };
    await source.upload("content", 7, headers);
    const copy = container.getBlockBlobClient("copy.txt");
    const done = await (await copy.beginCopyFromURL(source.url)).pollUntilDone();
    assert.equal(done.copyStatus, "success");
    const now = await container.getBlobClient("now.txt").syncCopyFromURL(signed("origin.txt"));
    assert.equal(now.copyStatus, "success");
    const put = container.getBlockBlobClient("put.txt");
    await put.syncUploadFromURL(signed("origin.txt"));
    for (const name of ["copy.txt", "now.txt", "put.txt"]) {
      const blob = container.getBlobClient(name);
      assert.equal((await blob.downloadToBuffer()).toString(), "content");
      assert.equal((await blob.getProperties()).contentType, "text/x");
    }
    const far = container.getBlobClient("far.txt");
    const poller = await far.beginCopyFromURL(`${foreignUrl}/a`, { intervalInMs: 20 });
    assert.equal((await poller.pollUntilDone()).copyStatus, "success");
    assert.equal((await far.downloadToBuffer()).toString(), "from afar");
  });

  test("aborts a copy that is pending", async () => {
    const blob = container.getBlobClient("slow.txt");
    await blob.beginCopyFromURL(`${foreignUrl}/endless`, { intervalInMs: 20 });
    const { copyId = "" } = await blob.getProperties();
    await blob.abortCopyFromURL(copyId);
    assert.equal((await blob.getProperties()).copyStatus, "aborted");
    const again = blob.abortCopyFromURL(copyId);
    await assert.rejects(again, isRefusal(409, "NoPendingCopyOperation"));
  });

  test("takes snapshots, reads and copies them, and deletes them with their blob", async () => {
    const blob = container.getAppendBlobClient("log.txt");
    await blob.create();
    await blob.appendBlock("one", 3);
    const { snapshot = "" } = await blob.createSnapshot({ metadata: { why: "test" } });
    await blob.appendBlock("two", 3);
    const past = blob.withSnapshot(snapshot);
    assert.equal((await past.downloadToBuffer()).toString(), "one");
    assert.deepEqual((await past.getProperties()).metadata, { why: "test" });
    const back = container.getAppendBlobClient("back.txt");
    await (await back.beginCopyFromURL(past.url)).pollUntilDone();
    assert.equal((await back.downloadToBuffer()).toString(), "one");
    await assert.rejects(blob.delete(), isRefusal(409, "SnapshotsPresent"));
    await blob.delete({ deleteSnapshots: "include" });
    assert.equal(await past.exists(), false);
  });
});

function isRefusal(statusCode: number, code: string) {
  return (error: unknown) => {
    assert.ok(error instanceof RestError);
    assert.deepEqual([error.statusCode, error.code], [statusCode, code]);
    return true;
  };
}
