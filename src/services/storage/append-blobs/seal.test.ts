import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createAppendBlob, send, startStorage, type TestStorage } from "../storage.fixture.ts";

suite("sealing an append blob", () => {
  let storage: TestStorage;
  before(async () => (storage = await startStorage()));
  after(() => storage.stop());

  const seal = (path: string, headers: Record<string, string> = {}, version = "2026-10-06") =>
    send(storage, `${path}?comp=seal`, { headers, version });
  const append = (path: string, headers: Record<string, string> = {}) =>
    send(storage, `${path}?comp=appendblock`, { body: "x", headers });

  test("ends its growth, and nothing else", async () => {
    await createAppendBlob(storage, "logs/a");
    await append("logs/a");
    const { status, headers } = await seal("logs/a");
    assert.deepEqual([status, headers["x-svc-blob-sealed"]], [200, "true"]);
    const refused = await append("logs/a");
    assert.deepEqual([refused.status, refused.code], [409, "BlobIsSealed"]);
    assert.equal((await append("logs/a", { "if-match": '"0x1"' })).code, "ConditionNotMet");
    const url = { "x-svc-copy-source": "http://127.0.0.1:10000/testaccount1/logs/a" };
    const fromUrl = await send(storage, "logs/a?comp=appendblock", { headers: url });
    assert.equal(fromUrl.code, "CannotVerifyCopySource");
    const got = await send(storage, "logs/a", { method: "GET" });
    assert.deepEqual([got.text, got.headers["x-svc-blob-sealed"]], ["x", "true"]);
    assert.equal(got.headers["etag"], headers["etag"]);
    const again = await seal("logs/a");
    assert.deepEqual([again.status, again.headers["etag"]], [200, headers["etag"]]);
    const metadata = await send(storage, "logs/a?comp=metadata");
    assert.equal(metadata.status, 200);
    await createAppendBlob(storage, "logs/a");
    assert.equal((await append("logs/a")).status, 201);
  });

  test("takes the conditions of an append, and append blobs only", async () => {
    await createAppendBlob(storage, "logs/b");
    await append("logs/b");
    const code = async (path: string, headers: Record<string, string>) =>
      (await seal(path, headers)).code;
    const position = { "x-svc-blob-condition-appendpos": "0" };
    assert.equal(await code("logs/b", position), "AppendPositionConditionNotMet");
    assert.equal(await code("logs/b", { "if-match": '"0x1"' }), "ConditionNotMet");
    const lease = { "x-svc-lease-id": "00000000-0000-0000-0000-00000000000a" };
    assert.equal(await code("logs/b", lease), "LeaseNotPresentWithBlobOperation");
    assert.equal(await code("logs/none", {}), "BlobNotFound");
    const block = { "x-svc-blob-type": "BlockBlob" };
    await send(storage, "logs/block", { headers: block, body: "x" });
    const wrong = await seal("logs/block");
    assert.deepEqual([wrong.status, wrong.code], [409, "InvalidBlobType"]);
    assert.equal((await seal("logs/b", {}, "2019-10-10")).code, "FeatureVersionMismatch");
    assert.equal((await append("logs/b")).status, 201);
    assert.equal(await code("logs/b", { "x-svc-blob-condition-appendpos": "2" }), "");
  });
});
