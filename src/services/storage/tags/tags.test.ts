import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, suite, test } from "node:test";
import { serviceSas } from "../access/signatures.fixture.ts";
import { send, startStorage, type Sent, type TestStorage } from "../storage.fixture.ts";

type Headers = Record<string, string>;

/** A body as clients send it. */
function body(tags: readonly (readonly [string, string])[]): string {
  const all = tags.map(([key, value]) => `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`);
  return `<?xml version="1.0"?><Tags><TagSet>${all.join("")}</TagSet></Tags>`;
}

suite("tags of blobs", () => {
  let storage: TestStorage;
  before(async () => {
    storage = await startStorage();
    await send(storage, "tagged?restype=container");
  });
  after(() => storage.stop());

  const put = (name: string, headers: Headers = {}, sent: Sent = {}) =>
    send(storage, `tagged/${name}`, {
      body: "x",
      ...sent,
      headers: { "x-svc-blob-type": "BlockBlob", ...headers },
    });
  const set = (name: string, xml: string, headers: Headers = {}) =>
    send(storage, `tagged/${name}?comp=tags`, { body: xml, headers });
  const get = async (name: string) => {
    const { text } = await send(storage, `tagged/${name}?comp=tags`, { method: "GET" });
    const pairs = text.matchAll(/<Tag><Key>(.*?)<\/Key><Value>(.*?)<\/Value><\/Tag>/g);
    return [...pairs].map(([, key, value]) => [key, value]);
  };

  test("come with the blob or are set later, and are counted in its properties", async () => {
    const { headers: stored } = await put("a", { "x-svc-tags": "project=atoll&due%20date=a%3Db" });
    assert.deepEqual(await get("a"), [
      ["project", "atoll"],
      ["due date", "a=b"],
    ]);
    const { headers } = await send(storage, "tagged/a", { method: "HEAD" });
    assert.equal(headers["x-svc-tag-count"], "2");
    const { status } = await set("a", body([["x", ""]]));
    assert.equal(status, 204);
    const later = await send(storage, "tagged/a", { method: "GET" });
    const { headers: got } = later;
    assert.deepEqual([got["x-svc-tag-count"], got["etag"]], ["1", stored["etag"]]);
    assert.deepEqual(await get("a"), [["x", ""]]);
    await set("a", body([]));
    assert.deepEqual(await get("a"), []);
    const none = await send(storage, "tagged/a", { method: "HEAD" });
    assert.equal(none.headers["x-svc-tag-count"], undefined);
  });

  test("are refused when they are too many, too long or of other characters", async () => {
    await put("form", { "x-svc-tags": "a=1" });
    const code = async (tags: readonly (readonly [string, string])[]) =>
      (await set("form", body(tags))).code;
    const many = Array.from({ length: 11 }, (_, at) => [`t${at}`, "1"] as const);
    assert.equal(await code(many), "TagsTooLarge");
    assert.equal(await code([["a".repeat(129), "1"]]), "TagsTooLarge");
    assert.equal(await code([["a", "1".repeat(257)]]), "TagsTooLarge");
    assert.equal(await code([["", "1"]]), "EmptyTagName");
    assert.equal(await code([["a", "!"]]), "InvalidTag");
    const twice = [
      ["a", "1"],
      ["a", "2"],
    ] as const;
    assert.equal(await code(twice), "DuplicateTagNames");
    const md5 = (text: string) => createHash("md5").update(text).digest("base64");
    const other = { "content-md5": md5("other") };
    assert.equal((await set("form", body([["a", "2"]]), other)).code, "Md5Mismatch");
    const same = { "content-md5": md5(body([["a", "1"]])) };
    assert.equal((await set("form", body([["a", "1"]]), same)).status, 204);
    const crc = { "x-svc-content-crc64": "AAAAAAAAAAA=" };
    assert.equal((await set("form", body([["a", "2"]]), crc)).code, "Crc64Mismatch");
    assert.equal((await set("form", "<Tags></Tags>")).code, "MissingRequiredXmlNode");
    assert.equal((await set("form", "<Tags>")).code, "InvalidXmlDocument");
    assert.equal((await put("form", { "x-svc-tags": "a" })).code, "InvalidHeaderValue");
    assert.equal((await put("form", { "x-svc-tags": "a=%E0" })).code, "InvalidHeaderValue");
    assert.equal((await put("form", { "x-svc-tags": "a=1&a=2" })).code, "DuplicateTagNames");
    assert.deepEqual(await get("form"), [["a", "1"]]);
    const append = await send(storage, "tagged/form?comp=metadata", {
      headers: { "x-svc-tags": "a=1" },
    });
    assert.deepEqual([append.status, append.code], [501, "APINotImplemented"]);
    const old = await put("form", { "x-svc-tags": "a=1" }, { version: "2019-10-10" });
    assert.deepEqual([old.status, old.code], [400, "UnsupportedHeader"]);
  });

  test("are conditions of reads and writes", async () => {
    await put("condition", { "x-svc-tags": "state=open" });
    const outcome = async (method: "DELETE" | "GET" | "HEAD" | "PUT", headers: Headers) => {
      const query = method === "PUT" ? "?comp=metadata" : "";
      const got = await send(storage, `tagged/condition${query}`, { method, headers });
      return [got.status, got.headers["x-svc-error-code"]];
    };
    const open = { "x-svc-if-tags": "state = 'open'" };
    const closed = { "x-svc-if-tags": "state = 'closed'" };
    const unmet = [412, "ConditionNotMet"];
    for (const method of ["GET", "HEAD", "PUT", "DELETE"] as const) {
      assert.deepEqual(await outcome(method, closed), unmet);
    }
    assert.deepEqual(await outcome("GET", { "x-svc-if-tags": "state" }), [
      400,
      "InvalidHeaderValue",
    ]);
    assert.deepEqual(await outcome("GET", { ...open, "if-match": "*" }), [200, undefined]);
    assert.deepEqual(await outcome("PUT", { ...open, "if-match": '"0x1"' }), unmet);
    assert.deepEqual((await set("condition", body([["state", "closed"]]), open)).status, 204);
    assert.deepEqual((await set("condition", body([]), open)).code, "ConditionNotMet");
    assert.deepEqual((await put("absent", open)).code, "ConditionNotMet");
    assert.deepEqual(await outcome("DELETE", closed), [202, undefined]);
  });

  test("need the id of a lease to be written, and do not end one", async () => {
    await put("leased");
    const id = "00000000-0000-0000-0000-00000000000a";
    await send(storage, "tagged/leased?comp=lease", {
      headers: {
        "x-svc-lease-action": "acquire",
        "x-svc-lease-duration": "-1",
        "x-svc-proposed-lease-id": id,
      },
    });
    assert.equal((await set("leased", body([]))).code, "LeaseIdMissing");
    assert.equal((await set("leased", body([]), { "x-svc-lease-id": id })).status, 204);
  });

  test("are reached by signatures with t only", async () => {
    await put("signed", { "x-svc-tags": "a=1" });
    const by = async (sp: string, query: string, sent: Sent) => {
      const sas = serviceSas(sp, "tagged/signed");
      const { status, code } = await send(storage, `tagged/signed?${query}${sas}`, {
        unsigned: true,
        ...sent,
      });
      return code === "" ? status : code;
    };
    const refused = "AuthorizationPermissionMismatch";
    assert.equal(await by("rw", "comp=tags&", { method: "GET" }), refused);
    assert.equal(await by("t", "comp=tags&", { method: "GET" }), 200);
    const condition = { "x-svc-if-tags": "a = '1'" };
    assert.equal(await by("r", "", { method: "GET", headers: condition }), refused);
    assert.equal(await by("rt", "", { method: "GET", headers: condition }), 200);
    const headers = { "x-svc-blob-type": "BlockBlob", "x-svc-tags": "a=2" };
    assert.equal(await by("w", "", { headers, body: "x" }), refused);
    assert.equal(await by("wt", "", { headers, body: "x" }), 201);
  });
});
