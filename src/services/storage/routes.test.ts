import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import {
  ACCOUNT,
  authorizationOf,
  createAppendBlob,
  send,
  startStorage,
  VERSION,
  type TestStorage,
} from "./storage.fixture.ts";

suite("the blob protocol", () => {
  let storage: TestStorage;
  before(async () => {
    storage = await startStorage();
    await createAppendBlob(storage, "logs/a");
  });
  after(() => storage.stop());

  test("refuses in XML, after a byte order mark, with ids and a code to switch on", async () => {
    const { status, headers, text } = await send(storage, "logs/no", { method: "GET" });
    assert.deepEqual(
      [status, headers["content-type"], headers["x-svc-error-code"], headers["x-svc-version"]],
      [404, "application/xml", "BlobNotFound", "2026-12-06"],
    );
    const id = String(headers["x-svc-request-id"]);
    const time = /Time:(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{7}Z)/.exec(text)?.[1];
    assert.equal(
      text,
      '\uFEFF<?xml version="1.0" encoding="utf-8"?><Error><Code>BlobNotFound</Code><Message>' +
        `There is no blob "no" in the container "logs".\nRequestId:${id}\nTime:${time}` +
        "</Message></Error>",
    );
  });

  test("refuses HEAD with headers only, and older versions without the code's header", async () => {
    const head = await send(storage, "logs/no", { method: "HEAD" });
    assert.deepEqual([head.status, head.text], [404, ""]);
    assert.equal(head.headers["x-svc-error-code"], "BlobNotFound");
    const old = await send(storage, "logs/no", { method: "HEAD", version: "2017-04-17" });
    assert.equal(old.headers["x-svc-error-code"], undefined);
  });

  test("answers public clients in their own names", async () => {
    const { app } = storage;
    const headers = { "x-ms-version": "2020-01-01", "x-ms-client-request-id": "mine" };
    const answer = await app.inject({ url: "/testaccount1/logs/no", headers });
    assert.deepEqual(
      [answer.statusCode, answer.headers["x-ms-error-code"], answer.headers["x-svc-error-code"]],
      [400, "InvalidHeaderValue", undefined],
    );
    assert.match(answer.body, /<HeaderName>x-ms-version<\/HeaderName>/);
    assert.match(answer.body, /<HeaderValue>2020-01-01<\/HeaderValue>/);
    assert.doesNotMatch(answer.body, /x-svc/);
    assert.equal(answer.headers["x-ms-client-request-id"], "mine");
  });

  test("wants a version with every signed request", async () => {
    const headers = { authorization: "SharedKey testaccount1:AAAA" };
    const answer = await storage.app.inject({ url: "/testaccount1/logs/no", headers });
    assert.equal(answer.statusCode, 400);
    assert.match(answer.body, /<Code>MissingRequiredHeader<.*<HeaderName>x-svc-version</s);
  });

  test("refuses by name what is not there yet", async () => {
    const missing: [string, "DELETE" | "GET" | "POST" | "PUT", string][] = [
      ["logs/a?comp=expiry", "PUT", "Set Blob Expiry"],
      ["logs/a?versionid=2026-01-01", "DELETE", "versionid"],
      ["logs/a?comp=query", "POST", "Query Blob Contents"],
    ];
    for (const [path, method, name] of missing) {
      const { status, code, text } = await send(storage, path, { method });
      assert.deepEqual([path, status, code], [path, 501, "APINotImplemented"]);
      assert.ok(text.includes(name), text);
    }
    for (const name of ["x-svc-expiry-time", "x-svc-legal-hold", "x-svc-upn"]) {
      const headers = { "x-svc-blob-type": "AppendBlob", [name]: "x" };
      const { status, text } = await send(storage, "logs/b", { headers });
      assert.deepEqual([status, text.includes(name)], [501, true]);
    }
    assert.equal((await send(storage, "logs/b", { method: "GET" })).status, 404);
  });

  test("refuses what does not exist at all", async () => {
    const outcome = async (path: string, method: "GET" | "OPTIONS" | "PATCH" | "PUT") => {
      const { status, code } = await send(storage, path, { method });
      return [status, code];
    };
    const parameter = [400, "InvalidQueryParameterValue"];
    assert.deepEqual(await outcome("logs/a?comp=nonsense", "GET"), parameter);
    assert.deepEqual(await outcome("logs/a?restype=nonsense", "GET"), parameter);
    assert.deepEqual(await outcome("logs/a", "PATCH"), [405, "UnsupportedHttpVerb"]);
    assert.deepEqual(await outcome("/", "GET"), [400, "InvalidUri"]);
    assert.deepEqual(await outcome("logs", "GET"), [501, "APINotImplemented"]);
    assert.deepEqual(await outcome("logs/a", "OPTIONS"), [400, "MissingRequiredHeader"]);
    assert.deepEqual(await outcome("lo%2Fgs/a", "GET"), [400, "InvalidUri"]);
    assert.deepEqual(await outcome("logs/%00", "GET"), [400, "InvalidUri"]);
    const long = `logs/${"a".repeat(1025)}`;
    assert.deepEqual(await outcome(long, "GET"), [400, "InvalidUri"]);
  });

  test("wants a length with every write", async () => {
    const url = "/testaccount1/logs/a?comp=appendblock";
    const headers: Record<string, string> = {
      "x-svc-version": VERSION,
      "x-svc-date": new Date().toUTCString(),
    };
    headers["authorization"] = authorizationOf("PUT", url, headers);
    const answer = await storage.app.inject({ method: "PUT", url, headers });
    assert.equal(answer.statusCode, 411);
    assert.match(answer.body, /<Code>MissingContentLengthHeader</);
  });

  test("takes any text for the type of a blob's content", async () => {
    for (const type of ["weird", ";x", "image/png, image/jpeg"]) {
      const headers = { "x-svc-blob-type": "BlockBlob", "content-type": type };
      assert.equal((await send(storage, "logs/typed", { headers, body: "a" })).status, 201);
      const got = await send(storage, "logs/typed", { method: "GET" });
      assert.deepEqual([got.headers["content-type"], got.text], [type, "a"]);
    }
  });

  test("heads an answer as a signature says, and not as a bare query does", async () => {
    const query = "?rsct=text%2Fhtml&sig=x";
    const got = await send(storage, `logs/typed${query}`, { method: "GET" });
    assert.deepEqual([got.status, got.headers["content-type"]], [200, "image/png, image/jpeg"]);
  });

  test("refuses a timeout that is none, whatever the operation", async () => {
    const sent = { method: "GET", headers: {} } as const;
    const got = await send(storage, "logs/typed?timeout=x", sent);
    assert.deepEqual([got.status, got.code], [400, "InvalidQueryParameterValue"]);
  });

  test("refuses unknown methods and paths in its own words", async () => {
    const got = await send(storage, "logs/a", { method: "PROPFIND" });
    assert.deepEqual([got.status, got.code], [405, "UnsupportedHttpVerb"]);
    const odd = await storage.app.inject({ url: "/acct/c/%zz" });
    assert.match(odd.body, /<Code>InvalidUri<\/Code>/);
  });

  test("takes no writes on the secondary address", async () => {
    const headers = { "x-svc-blob-type": "BlockBlob" };
    const got = await send(storage, `/${ACCOUNT}-secondary/logs/b`, { headers, body: "a" });
    assert.deepEqual([got.status, got.code], [403, "WriteOperationNotSupportedOnSecondary"]);
  });
});
