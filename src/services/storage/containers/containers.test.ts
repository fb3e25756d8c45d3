import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { send, startStorage, type TestStorage } from "../storage.fixture.ts";

suite("containers", () => {
  let storage: TestStorage;
  before(async () => (storage = await startStorage()));
  after(() => storage.stop());

  const create = (name: string, headers = {}) =>
    send(storage, `${name}?restype=container`, { headers });

  test("are created once, keep their metadata, and go with all that is in them", async () => {
    const headers = { "x-svc-meta-Owner": "me", "x-svc-blob-public-access": "blob" };
    const created = await create("one", headers);
    assert.equal(created.status, 201);
    assert.deepEqual([(await create("one")).code], ["ContainerAlreadyExists"]);
    const { headers: got } = await send(storage, "one?restype=container", { method: "HEAD" });
    const shown = ["etag", "x-svc-meta-owner", "x-svc-blob-public-access", "x-svc-lease-state"];
    assert.deepEqual(
      shown.map((name) => got[name]),
      [created.headers["etag"], "me", "blob", "available"],
    );
    await send(storage, "one/b", { headers: { "x-svc-blob-type": "BlockBlob" }, body: "x" });
    assert.equal((await send(storage, "one?restype=container", { method: "DELETE" })).status, 202);
    assert.equal((await send(storage, "one/b", { method: "GET" })).code, "ContainerNotFound");
    await create("one");
    assert.equal((await send(storage, "one/b", { method: "GET" })).code, "BlobNotFound");
  });

  test("have names by the rules, and known levels of access", async () => {
    const codes: string[] = [];
    for (const name of ["ab", "Upper", "a--b", "-ab", "a".repeat(64), "a".repeat(63)]) {
      codes.push((await create(name)).code);
    }
    const invalid = "InvalidResourceName";
    const range = "OutOfRangeInput";
    assert.deepEqual(codes, [range, invalid, invalid, invalid, range, ""]);
    const access = await create("access", { "x-svc-blob-public-access": "all" });
    assert.deepEqual([access.status, access.code], [400, "InvalidHeaderValue"]);
    const bad = await create("meta", { "x-svc-meta-1a": "x" });
    assert.deepEqual([bad.status, bad.code], [400, "InvalidMetadata"]);
    const large = await create("meta", { "x-svc-meta-a": "x".repeat(8192) });
    assert.deepEqual([large.status, large.code], [400, "MetadataTooLarge"]);
  });

  test("are deleted only under the conditions that the operation knows", async () => {
    await create("conditions");
    const remove = async (headers: Record<string, string>) =>
      (await send(storage, "conditions?restype=container", { method: "DELETE", headers })).code;
    assert.equal(await remove({ "if-match": "*" }), "ConditionHeadersNotSupported");
    const old = "Mon, 01 Jan 2024 00:00:00 GMT";
    assert.equal(await remove({ "if-unmodified-since": old }), "ConditionNotMet");
    const lease = { "x-svc-lease-id": "00000000-0000-0000-0000-000000000000" };
    assert.equal(await remove(lease), "LeaseNotPresentWithContainerOperation");
    assert.equal(await remove({ "if-modified-since": old }), "");
  });
});
