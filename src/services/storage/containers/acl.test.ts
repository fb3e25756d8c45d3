import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { serviceSas } from "../access/signatures.fixture.ts";
import {
  createAppendBlob,
  send,
  startStorage,
  TOKENS,
  type TestStorage,
} from "../storage.fixture.ts";

const START = "2026-01-01T00:00:00.0000000Z";
const EXPIRY = "2126-01-01";

function identifiers(...policies: (readonly [id: string, policy: string])[]): string {
  const all = policies.map(
    ([id, policy]) =>
      `<SignedIdentifier><Id>${id}</Id><AccessPolicy>${policy}</AccessPolicy></SignedIdentifier>`,
  );
  return `<SignedIdentifiers>${all.join("")}</SignedIdentifiers>`;
}

const READING = `<Start>${START}</Start><Expiry>${EXPIRY}</Expiry><Permission>r</Permission>`;
const READER = identifiers(["reader", READING]);

suite("access rules of a container", () => {
  let storage: TestStorage;
  before(async () => {
    storage = await startStorage();
    await createAppendBlob(storage, "logs/a");
  });
  after(() => storage.stop());

  const set = (body: string, headers: Record<string, string> = {}) =>
    send(storage, "logs?restype=container&comp=acl", { body, headers });
  const get = () => send(storage, "logs?restype=container&comp=acl", { method: "GET" });
  const read = async (query: string) => {
    const path = `logs/a${query === "" ? "" : `?${query}`}`;
    const { status, code } = await send(storage, path, { method: "GET", unsigned: true });
    return [status, code];
  };
  const FAILED = [403, "AuthenticationFailed"];

  test("are replaced as a whole, with their time and entity tag, and read back", async () => {
    const first = await get();
    const empty =
      '\uFEFF<?xml version="1.0" encoding="utf-8"?><SignedIdentifiers></SignedIdentifiers>';
    assert.equal(first.text, empty);
    const { status, headers } = await set(READER, { "x-svc-blob-public-access": "blob" });
    assert.equal(status, 200);
    assert.notEqual(headers["etag"], first.headers["etag"]);
    const second = await get();
    const { etag, "x-svc-blob-public-access": access, "content-type": type } = second.headers;
    assert.deepEqual([etag, access, type], [headers["etag"], "blob", "application/xml"]);
    assert.equal(second.text, empty.replace(/<Signed.*/, READER));
    assert.deepEqual(await read(""), [200, ""]);
    await set("");
    assert.equal((await get()).text, empty);
    assert.deepEqual(await read(""), [401, "NoAuthenticationInformation"]);
    const path = "logs?restype=container&comp=acl";
    const head = await send(storage, path, { method: "HEAD" });
    assert.deepEqual([head.status, head.text], [200, ""]);
  });

  test("let signatures refer to a policy, until it is deleted", async () => {
    const sas = (id: string, more = {}) => serviceSas("", "logs/a", { si: id, se: "", ...more });
    const full = identifiers(["reader", READING], ["open", "<Permission>r</Permission>"]);
    await set(full);
    assert.deepEqual(await read(sas("reader")), [200, ""]);
    assert.deepEqual(await read(sas("open", { se: EXPIRY })), [200, ""]);
    assert.deepEqual(await read(sas("open")), FAILED);
    assert.deepEqual(await read(sas("reader", { sp: "r" })), FAILED);
    assert.deepEqual(await read(sas("other")), FAILED);
    const writing = identifiers(["reader", READING.replace(">r<", ">w<")]);
    await set(writing);
    assert.deepEqual(await read(sas("reader")), [403, "AuthorizationPermissionMismatch"]);
    await set("");
    assert.deepEqual(await read(sas("reader")), FAILED);
  });

  test("are refused when malformed, and stay as they were", async () => {
    await set(READER);
    const { text, headers } = await get();
    const six = ["1", "2", "3", "4", "5", "6"].map((id) => [id, ""] as const);
    const refused: readonly (readonly [string, string])[] = [
      ["<SignedIdentifiers>", "InvalidXmlDocument"],
      ["<Other/>", "InvalidXmlDocument"],
      [identifiers(...six), "InvalidXmlDocument"],
      [identifiers(["1", ""], ["1", ""]), "InvalidXmlDocument"],
      [identifiers(["", READING]), "MissingRequiredXmlNode"],
      [identifiers(["x".repeat(65), READING]), "InvalidXmlNodeValue"],
      [identifiers(["1", "<Start>soon</Start>"]), "InvalidXmlNodeValue"],
      [identifiers(["1", "<Permission>r!</Permission>"]), "InvalidXmlNodeValue"],
      [" ".repeat(70_000), "RequestBodyTooLarge"],
    ];
    for (const [body, code] of refused) assert.equal((await set(body)).code, code, body);
    const access = { "x-svc-blob-public-access": "all" };
    assert.equal((await set(READER, access)).code, "InvalidHeaderValue");
    assert.equal((await set(READER, { "if-match": "*" })).code, "ConditionHeadersNotSupported");
    const past = { "if-unmodified-since": "Mon, 01 Jan 2024 00:00:00 GMT" };
    assert.equal((await set(READER, past)).code, "ConditionNotMet");
    const now = await get();
    assert.deepEqual([now.text, now.headers["etag"]], [text, headers["etag"]]);
    const missing = await send(storage, "none?restype=container&comp=acl", { method: "GET" });
    assert.equal(missing.code, "ContainerNotFound");
    const unset = await send(storage, "none?restype=container&comp=acl");
    assert.equal(unset.code, "ContainerNotFound");
  });

  test("are not handed on by signatures, nor shown to those who may only read", async () => {
    const path = "logs?restype=container&comp=acl";
    const signed = await send(storage, `${path}&${serviceSas("rwdl", "logs")}`, { unsigned: true });
    assert.equal(signed.code, "AuthorizationPermissionMismatch");
    const headers = { authorization: `Bearer ${TOKENS["reader"] ?? ""}` };
    const reader = await send(storage, path, { method: "GET", headers });
    assert.equal(reader.code, "AuthorizationPermissionMismatch");
    assert.ok(reader.text.includes("containers/getAcl/action"));
  });
});
