import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { ACCOUNT, ORIGIN, send, startStorage, type TestStorage } from "../storage.fixture.ts";

type Headers = Record<string, string>;

suite("tiers of blobs", () => {
  let storage: TestStorage;
  before(async () => {
    storage = await startStorage();
    const headers = { "x-svc-blob-public-access": "blob" };
    await send(storage, "tiers?restype=container", { headers });
  });
  after(() => storage.stop());

  const put = (name: string, headers: Headers = {}, type = "BlockBlob") =>
    send(storage, `tiers/${name}`, {
      headers: { "x-svc-blob-type": type, ...headers },
      ...(type === "BlockBlob" && { body: "content" }),
    });
  const set = (name: string, headers: Headers) =>
    send(storage, `tiers/${name}?comp=tier`, { headers });
  const shown = async (name: string) => {
    const { headers } = await send(storage, `tiers/${name}`, { method: "HEAD" });
    return [headers["x-svc-access-tier"], headers["x-svc-access-tier-inferred"]];
  };

  test("are Hot unless it was said otherwise, and change without another entity tag", async () => {
    const { headers } = await put("a");
    assert.deepEqual(await shown("a"), ["Hot", "true"]);
    assert.equal((await set("a", { "x-svc-access-tier": "Cool" })).status, 200);
    assert.deepEqual(await shown("a"), ["Cool", undefined]);
    const { headers: got } = await send(storage, "tiers/a", { method: "GET" });
    assert.equal(got["etag"], headers["etag"]);
    assert.ok(!Number.isNaN(Date.parse(String(got["x-svc-access-tier-change-time"]))));
    await put("b", { "x-svc-access-tier": "Cold" });
    assert.deepEqual(await shown("b"), ["Cold", undefined]);
  });

  test("keep what is in the archive from being read and changed, until it comes back", async () => {
    await put("archived", { "x-svc-access-tier": "Archive" });
    const outcome = async (path: string, method: "GET" | "HEAD" | "PUT", headers: Headers = {}) => {
      const got = await send(storage, path, { method, headers });
      return [got.status, got.code];
    };
    const archived = [409, "BlobArchived"];
    assert.deepEqual(await outcome("tiers/archived", "GET"), archived);
    assert.deepEqual(await outcome("tiers/archived?comp=metadata", "PUT"), archived);
    assert.deepEqual(await outcome("tiers/archived?comp=properties", "PUT"), archived);
    assert.deepEqual(await outcome("tiers/archived", "HEAD"), [200, ""]);
    await put("target", {}, "AppendBlob");
    const source = { "x-svc-copy-source": `${ORIGIN}/${ACCOUNT}/tiers/archived` };
    const appended = await send(storage, "tiers/target?comp=appendblock", { headers: source });
    assert.deepEqual([appended.status, appended.code], [409, "CannotVerifyCopySource"]);
    assert.match(appended.text, /<CopySourceErrorCode>BlobArchived</);
    const back = { "x-svc-access-tier": "Hot", "x-svc-rehydrate-priority": "High" };
    assert.equal((await set("archived", back)).status, 202);
    assert.equal((await send(storage, "tiers/archived", { method: "GET" })).text, "content");
    await set("archived", { "x-svc-access-tier": "Archive" });
    assert.equal((await put("archived")).status, 201);
    assert.deepEqual(await shown("archived"), ["Hot", "true"]);
  });

  test("are refused where there are none", async () => {
    await put("append", {}, "AppendBlob");
    assert.deepEqual(await shown("append"), [undefined, undefined]);
    const wrong = "AccessTierNotSupportedForBlobType";
    const tier = { "x-svc-access-tier": "Cool" };
    const refused = await set("append", tier);
    assert.deepEqual([refused.status, refused.code], [400, wrong]);
    assert.equal((await put("append", tier, "AppendBlob")).code, wrong);
    assert.equal((await set("a", { "x-svc-access-tier": "P4" })).code, "InvalidBlobTier");
    assert.equal((await set("a", {})).code, "MissingRequiredHeader");
    const priority = { ...tier, "x-svc-rehydrate-priority": "Now" };
    assert.equal((await set("a", priority)).code, "InvalidHeaderValue");
    assert.equal((await set("none", tier)).code, "BlobNotFound");
  });
});
