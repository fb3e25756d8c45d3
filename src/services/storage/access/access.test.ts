import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, suite, test } from "node:test";
import {
  ACCOUNT,
  createAppendBlob,
  KEYS,
  send,
  startStorage,
  TOKENS,
  type Sent,
  type TestStorage,
} from "../storage.fixture.ts";
import { accountSas, NEXT_YEAR, serviceSas } from "./signatures.fixture.ts";

suite("access to blobs", () => {
  let storage: TestStorage;
  before(async () => {
    storage = await startStorage();
    await createAppendBlob(storage, "logs/a");
    const shared = { "x-svc-blob-public-access": "container" };
    await send(storage, "shared?restype=container", { headers: shared });
    const open = { "x-svc-blob-public-access": "blob" };
    await send(storage, "open?restype=container", { headers: open });
    const block = { "x-svc-blob-type": "BlockBlob", "x-svc-blob-content-type": "text/plain" };
    for (const name of ["logs", "shared", "open"]) {
      await send(storage, `${name}/block`, { headers: block, body: "content" });
    }
  });
  after(() => storage.stop());

  const outcome = async (path: string, sent: Sent = {}) => {
    const { status, code } = await send(storage, path, { unsigned: true, ...sent });
    return [status, code];
  };
  const read = (path: string, sent: Sent = {}) => outcome(path, { method: "GET", ...sent });
  const append = (query: string) => outcome(`logs/a?comp=appendblock&${query}`, { body: "x" });
  const PERMISSION = [403, "AuthorizationPermissionMismatch"];

  test("without credentials reaches what is public, and tells nothing else apart", async () => {
    const unknown = [401, "NoAuthenticationInformation"];
    assert.deepEqual(await read("open/block"), [200, ""]);
    assert.deepEqual(await read("shared/block"), [200, ""]);
    assert.deepEqual(await read("logs/block"), unknown);
    assert.deepEqual(await read("missing/block"), unknown);
    assert.deepEqual(await read("open?restype=container"), unknown);
    assert.deepEqual(await read("shared?restype=container"), [200, ""]);
    assert.deepEqual(await outcome("open/block", { method: "DELETE" }), unknown);
    const { headers } = await send(storage, "logs/block", { method: "GET", unsigned: true });
    assert.equal(headers["www-authenticate"], "Bearer");
  });

  test("by a service signature goes as far as its permissions", async () => {
    assert.deepEqual(await append(serviceSas("a", "logs/a")), [201, ""]);
    assert.deepEqual(await append(serviceSas("w", "logs")), [201, ""]);
    assert.deepEqual(await append(serviceSas("rc", "logs/a")), PERMISSION);
    const other = await append(serviceSas("a", "logs/b"));
    assert.deepEqual(other, [403, "AuthenticationFailed"]);
    assert.deepEqual(await read(`logs/a?${serviceSas("r", "logs")}`), [200, ""]);
    assert.deepEqual(await read(`logs/a?${serviceSas("w", "logs")}`), PERMISSION);
    const onContainer = `logs?restype=container&${serviceSas("racwdl", "logs")}`;
    assert.deepEqual(await read(onContainer), PERMISSION);
  });

  test("by a signature that may only create overwrites nothing", async () => {
    const headers = { "x-svc-blob-type": "AppendBlob" };
    const put = (name: string, sp: string) =>
      outcome(`logs/${name}?${serviceSas(sp, "logs")}`, { headers });
    assert.deepEqual(await put("created", "c"), [201, ""]);
    assert.deepEqual(await put("created", "c"), [403, "UnauthorizedBlobOverwrite"]);
    assert.deepEqual(await put("created", "w"), [201, ""]);
    assert.deepEqual(await put("created", "a"), PERMISSION);
  });

  test("by an account signature goes as far as its services and resource types", async () => {
    assert.deepEqual(await append(accountSas("a", "o")), [201, ""]);
    assert.deepEqual(await append(accountSas("a", "sc")), [
      403,
      "AuthorizationResourceTypeMismatch",
    ]);
    assert.deepEqual(await append(accountSas("a", "o", "qt")), [
      403,
      "AuthorizationServiceMismatch",
    ]);
    const container = `by-account?restype=container&${accountSas("c", "c")}`;
    assert.deepEqual(await outcome(container), [201, ""]);
  });

  test("by a signed URL speaks the version of the signature, and takes its headers", async () => {
    const { app } = storage;
    const query = serviceSas("r", "logs/block", { sv: "2018-11-09", ses: "" });
    const old = query.replace(/sig=[^&]*/, () => {
      const lines = ["r", "", NEXT_YEAR, `/blob/${ACCOUNT}/logs/block`, "", "", "", "2018-11-09"];
      const text = [...lines, "b", "", "", "", "", "", ""].join("\n");
      const sig = createHmac("sha256", KEYS[1]).update(text).digest("base64");
      return `sig=${encodeURIComponent(sig)}`;
    });
    const plain = await app.inject(`/${ACCOUNT}/logs/block?${old.replace("&ses=", "")}`);
    assert.deepEqual([plain.statusCode, plain.headers["x-svc-version"]], [200, "2018-11-09"]);
    const overrides = serviceSas("r", "logs/block", { rsct: "text/html", rscc: "no-cache" });
    const overridden = await app.inject(`/${ACCOUNT}/logs/block?${overrides}`);
    const { "content-type": type, "cache-control": cache } = overridden.headers;
    const broken = serviceSas("r", "logs/block", { rsct: "text/html\r\nx:y" });
    const refused = await app.inject(`/${ACCOUNT}/logs/block?${broken}`);
    assert.equal(refused.statusCode, 400);
    assert.deepEqual([type, cache, overridden.body], ["text/html", "no-cache", "content"]);
  });

  test("by a token goes as far as the caller's roles", async () => {
    const { reader = "", nobody = "" } = TOKENS;
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual(await read("logs/block", bearer(reader)), [200, ""]);
    assert.deepEqual(await read("logs?restype=container", bearer(reader)), [200, ""]);
    assert.deepEqual(await read("logs/block", bearer(nobody)), PERMISSION);
    const appended = await send(storage, "logs/a?comp=appendblock", {
      ...bearer(reader),
      body: "x",
    });
    assert.deepEqual([appended.status, appended.code], PERMISSION);
    const action = "Svc.Storage/storageAccounts/blobServices/containers/blobs/add/action";
    const scope = `storageAccounts/${ACCOUNT}/blobServices/default/containers/logs`;
    assert.ok(appended.text.includes(action) && appended.text.includes(scope));
    const unknown = await read("logs/block", bearer("unknown"));
    assert.deepEqual(unknown, [401, "InvalidAuthenticationInfo"]);
    const basic = { headers: { authorization: "Basic abc" } };
    assert.deepEqual(await read("logs/block", basic), [400, "InvalidAuthenticationInfo"]);
  });

  test("by a token on plain HTTP is refused unless it is allowed", async () => {
    const strict = await startStorage({ plainHttpSecrets: false });
    const headers = { authorization: `Bearer ${TOKENS["reader"] ?? ""}` };
    const { status, code } = await send(strict, "logs/a", { method: "GET", headers });
    assert.deepEqual([status, code], [403, "AuthenticationFailed"]);
    await strict.stop();
  });

  test("by a key needs the key, and an account that is there", async () => {
    const forged = { headers: { authorization: `SharedKey ${ACCOUNT}:AAAA` }, unsigned: false };
    assert.deepEqual(await read("logs/block", forged), [403, "AuthenticationFailed"]);
    const other = { headers: { authorization: "SharedKey otheraccount:AAAA" }, unsigned: false };
    assert.deepEqual(await read("logs/block", other), [403, "AuthenticationFailed"]);
    assert.deepEqual(await read("/otheraccount/logs/block", other), [404, "ResourceNotFound"]);
    assert.deepEqual(await read("/otheraccount/logs/block"), [404, "ResourceNotFound"]);
  });
});
