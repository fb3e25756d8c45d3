import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { realEnvironment } from "#platform/environment.ts";
import { accountSas, serviceSas } from "../access/signatures.fixture.ts";
import { createAppendBlob, send, startStorage, type TestStorage } from "../storage.fixture.ts";

const A = "AAAAAAAA-0000-0000-0000-00000000000a";
const B = "bbbbbbbb-0000-0000-0000-00000000000b";
const ID = "x-svc-lease-id";

type Headers = Record<string, string>;

suite("leases", () => {
  let storage: TestStorage;
  let laterMs = 0;
  const now = () => new Date(Date.now() + laterMs);
  before(async () => {
    storage = await startStorage({ environment: { ...realEnvironment, now } });
    await send(storage, "logs?restype=container");
  });
  after(() => storage.stop());

  const lease = (path: string, action: string, headers: Headers = {}) => {
    const query = path.includes("/") ? "comp=lease" : "restype=container&comp=lease";
    return send(storage, `${path}?${query}`, {
      headers: { "x-svc-lease-action": action, ...headers },
    });
  };
  const acquire = (path: string, id: string, seconds = -1) => {
    const proposed = { "x-svc-proposed-lease-id": id };
    return lease(path, "acquire", { ...proposed, "x-svc-lease-duration": String(seconds) });
  };
  const properties = async (path: string, headers: Headers = {}) => {
    const { headers: got } = await send(storage, path, { method: "HEAD", headers });
    return ["status", "state", "duration"].map((name) => got[`x-svc-lease-${name}`]);
  };
  const append = async (path: string, headers: Headers = {}) =>
    (await send(storage, `${path}?comp=appendblock`, { body: "x", headers })).code;

  test("are acquired, renewed, changed, released and broken", async () => {
    await createAppendBlob(storage, "logs/all");
    const { etag } = (await send(storage, "logs/all", { method: "HEAD" })).headers;
    const acquired = await acquire("logs/all", A, 15);
    const id = A.toLowerCase();
    const told = (got: typeof acquired) => [got.status, got.headers[ID], got.headers["etag"]];
    assert.deepEqual(told(acquired), [201, id, etag]);
    assert.deepEqual(await properties("logs/all"), ["locked", "leased", "fixed"]);
    assert.deepEqual(told(await lease("logs/all", "renew", { [ID]: A })), [200, id, etag]);
    const change = { [ID]: A, "x-svc-proposed-lease-id": B };
    assert.deepEqual(told(await lease("logs/all", "change", change)), [200, B, etag]);
    const broken = await lease("logs/all", "break", { "x-svc-lease-break-period": "10" });
    assert.deepEqual(told(broken), [202, undefined, etag]);
    assert.equal(broken.headers["x-svc-lease-time"], "10");
    assert.deepEqual(await properties("logs/all"), ["locked", "breaking", undefined]);
    assert.deepEqual(told(await lease("logs/all", "release", { [ID]: B })), [200, undefined, etag]);
    assert.deepEqual(await properties("logs/all"), ["unlocked", "available", undefined]);
    const { headers } = await lease("logs/all", "acquire", { "x-svc-lease-duration": "-1" });
    assert.match(String(headers[ID]), /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
    assert.deepEqual(await properties("logs/all"), ["locked", "leased", "infinite"]);
  });

  test("keep everybody without the id from writing and deleting", async () => {
    await createAppendBlob(storage, "logs/locked");
    await acquire("logs/locked", A);
    const mismatch = "LeaseIdMismatchWithBlobOperation";
    assert.equal(await append("logs/locked"), "LeaseIdMissing");
    assert.equal(await append("logs/locked", { [ID]: B }), mismatch);
    assert.equal(await append("logs/locked", { [ID]: A.toLowerCase() }), "");
    const put = async (headers: Headers) => {
      const type = { "x-svc-blob-type": "AppendBlob" };
      return (await send(storage, "logs/locked", { headers: { ...type, ...headers } })).code;
    };
    assert.deepEqual([await put({}), await put({ [ID]: A })], ["LeaseIdMissing", ""]);
    assert.deepEqual(await properties("logs/locked"), ["locked", "leased", "infinite"]);
    const read = async (headers: Headers) => {
      const { status, code } = await send(storage, "logs/locked", { method: "GET", headers });
      return [status, code];
    };
    assert.deepEqual(await read({}), [200, ""]);
    assert.deepEqual(await read({ [ID]: A }), [200, ""]);
    assert.deepEqual(await read({ [ID]: B }), [412, mismatch]);
    const remove = async (headers: Headers) =>
      (await send(storage, "logs/locked", { method: "DELETE", headers })).code;
    assert.deepEqual([await remove({}), await remove({ [ID]: A })], ["LeaseIdMissing", ""]);
  });

  test("refuse an id where nothing is leased", async () => {
    await createAppendBlob(storage, "logs/free");
    const none = "LeaseNotPresentWithBlobOperation";
    assert.equal(await append("logs/free", { [ID]: A }), none);
    const read = await send(storage, "logs/free", { method: "GET", headers: { [ID]: A } });
    assert.deepEqual([read.status, read.code], [412, none]);
    const type = { "x-svc-blob-type": "AppendBlob", [ID]: A };
    assert.equal((await send(storage, "logs/new", { headers: type })).code, none);
  });

  test("end with their time, and are forgotten with the next write", async () => {
    await createAppendBlob(storage, "logs/expiring");
    await acquire("logs/expiring", A, 15);
    laterMs += 15_000;
    assert.deepEqual(await properties("logs/expiring"), ["unlocked", "expired", undefined]);
    const none = "LeaseNotPresentWithBlobOperation";
    assert.equal(await append("logs/expiring", { [ID]: A }), none);
    assert.equal((await lease("logs/expiring", "renew", { [ID]: A })).code, "");
    laterMs += 15_000;
    assert.equal(await append("logs/expiring"), "");
    assert.deepEqual(await properties("logs/expiring"), ["unlocked", "available", undefined]);
    const renewed = await lease("logs/expiring", "renew", { [ID]: A });
    const mismatch = "LeaseIdMismatchWithLeaseOperation";
    assert.deepEqual([renewed.status, renewed.code], [409, mismatch]);
  });

  test("go to one of many that ask at once", async () => {
    await createAppendBlob(storage, "logs/race");
    const ids = Array.from({ length: 16 }, (_, at) => A.slice(0, -2) + String(at + 10));
    const answers = await Promise.all(ids.map((id) => acquire("logs/race", id)));
    const codes = answers.map(({ code }) => code).toSorted();
    assert.deepEqual(codes, ["", ...Array.from({ length: 15 }, () => "LeaseAlreadyPresent")]);
  });

  test("keep a container from being deleted, and from nothing else", async () => {
    await createAppendBlob(storage, "held/a");
    assert.equal((await acquire("held", A)).status, 201);
    const query = "held?restype=container";
    assert.deepEqual(await properties(query), ["locked", "leased", "infinite"]);
    assert.equal(await append("held/a"), "");
    const mismatch = "LeaseIdMismatchWithContainerOperation";
    const read = await send(storage, query, { method: "GET", headers: { [ID]: B } });
    assert.deepEqual([read.status, read.code], [412, mismatch]);
    const remove = async (headers: Headers) =>
      (await send(storage, query, { method: "DELETE", headers })).code;
    assert.equal(await remove({}), "LeaseIdMissing");
    assert.equal(await remove({ [ID]: B }), mismatch);
    assert.equal(await remove({ [ID]: A }), "");
    assert.equal((await acquire("held", A)).code, "ContainerNotFound");
  });

  test("are broken by who may delete, and otherwise acted on by who may write", async () => {
    await createAppendBlob(storage, "logs/signed");
    const by = async (sas: string, path: string, headers: Headers, version?: string) => {
      const got = await send(storage, `${path}comp=lease&${sas}`, {
        headers,
        unsigned: true,
        ...(version !== undefined && { version }),
      });
      return got.code === "" ? got.status : got.code;
    };
    const blob = (sp: string, headers: Headers, version?: string) =>
      by(serviceSas(sp, "logs/signed"), "logs/signed?", headers, version);
    const take = { "x-svc-lease-action": "acquire", "x-svc-lease-duration": "-1" };
    const end = { "x-svc-lease-action": "break" };
    const refused = "AuthorizationPermissionMismatch";
    assert.equal(await blob("d", take), refused);
    assert.equal(await blob("r", end), refused);
    assert.equal(await blob("w", take), 201);
    assert.equal(await blob("d", end, "2017-04-17"), refused);
    assert.equal(await blob("d", end), 202);
    const path = "logs?restype=container&";
    assert.equal(await by(serviceSas("w", "logs"), path, take), refused);
    assert.equal(await by(accountSas("d", "c"), path, take), refused);
    assert.equal(await by(accountSas("w", "c"), path, take), 201);
    assert.equal(await by(accountSas("d", "c"), path, end), 202);
  });

  test("are refused when a header is missing or out of its range", async () => {
    await createAppendBlob(storage, "logs/form");
    const code = async (action: string, headers: Headers = {}) =>
      (await lease("logs/form", action, headers)).code;
    const invalid = "InvalidHeaderValue";
    const missing = "MissingRequiredHeader";
    assert.equal(await code("take"), invalid);
    assert.equal(await code(""), missing);
    assert.equal(await code("acquire"), missing);
    for (const seconds of ["0", "14", "61", "-2", "x", "1e1"]) {
      assert.equal(await code("acquire", { "x-svc-lease-duration": seconds }), invalid);
    }
    const malformed = { "x-svc-lease-duration": "-1", "x-svc-proposed-lease-id": "mine" };
    assert.equal(await code("acquire", malformed), invalid);
    assert.equal(await code("break", { "x-svc-lease-break-period": "61" }), invalid);
    assert.equal(await code("renew"), missing);
    assert.equal(await code("renew", { [ID]: "mine" }), invalid);
    assert.equal(await code("change", { [ID]: A }), missing);
    assert.equal(await append("logs/form", { [ID]: "mine" }), invalid);
    const match = { "x-svc-lease-duration": "-1", "if-match": '"0x1"' };
    assert.equal(await code("acquire", match), "ConditionNotMet");
    assert.equal((await lease("logs/missing", "break")).code, "BlobNotFound");
    const onContainer = await lease("logs", "break", { "if-match": '"0x1"' });
    assert.equal(onContainer.code, "ConditionHeadersNotSupported");
    assert.deepEqual(await properties("logs/form"), ["unlocked", "available", undefined]);
  });
});
