import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { suite, test } from "node:test";
import { Problem } from "../problem.ts";
import { parseSharedKey, requireSharedKey, type SentRequest } from "./shared-key.ts";

const KEY = Buffer.from("a2V5LWZvci10aGUtdGVzdC12ZWN0b3ItMDEyMzQ1Njc=", "base64");
const NOON = new Date("2026-11-21T12:00:00Z");
const APPEND = "/acct/logs/day.log?comp=appendblock&timeout=30";

function request(rawHeaders: readonly string[], over: Partial<SentRequest> = {}): SentRequest {
  return { method: "PUT", url: APPEND, version: "2022-11-02", rawHeaders, ...over };
}

function vector(prefix: string): string[] {
  return [
    `${prefix}-date`,
    "Sat, 21 Nov 2026 12:00:00 GMT",
    `${prefix}-version`,
    "2022-11-02",
    "Content-Length",
    "0",
    `${prefix}-copy-source`,
    "http://127.0.0.1:10000/acct/src/a.bin",
  ];
}

/** Undefined when the request is accepted, else the code and the detail of the refusal. */
function verify(authorization: string, sent: SentRequest, now = NOON) {
  const credential = parseSharedKey(authorization);
  assert.ok(credential);
  try {
    requireSharedKey(sent, credential, [Buffer.alloc(64), KEY], now);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof Problem);
    return [error.statusCode, error.code];
  }
}

function signed(text: string): string {
  return createHmac("sha256", KEY).update(text).digest("base64");
}

const NATIVE = "SharedKey acct:exXX6WpWBWR86kk2HZSP4vuxFLSBdZTBoanKZl8QKSg=";
const PUBLIC = "SharedKey acct:oCIoNFIKqZp6VTWSnE0v+pxN+mSV6j9ogcdx3QJUSf8=";

suite("Shared Key", () => {
  test("accepts the known signatures, in both dialects, and no other", () => {
    assert.equal(verify(NATIVE, request(vector("x-svc"))), undefined);
    assert.equal(verify(PUBLIC, request(vector("x-ms"))), undefined);
    const refused = [403, "AuthenticationFailed"];
    assert.deepEqual(verify(NATIVE, request(vector("x-ms"))), refused);
    assert.deepEqual(verify(NATIVE, request(vector("x-svc"), { method: "GET" })), refused);
    assert.deepEqual(verify("SharedKey acct:AAAA", request(vector("x-svc"))), refused);
  });

  test("signs an empty body as 0 up to 2014-02-14", () => {
    const old = request(vector("x-svc"), { version: "2014-02-14" });
    assert.deepEqual(verify(NATIVE, old), [403, "AuthenticationFailed"]);
  });

  test("refuses dates more than fifteen minutes off, and requests without one", () => {
    const late = new Date(NOON.getTime() + 15 * 60_000 + 1000);
    const sent = request(vector("x-svc"));
    assert.deepEqual(verify(NATIVE, sent, late), [403, "AuthenticationFailed"]);
    const undated = request(vector("x-svc").slice(2));
    assert.deepEqual(verify(NATIVE, undated), [403, "AuthenticationFailed"]);
  });

  test("refuses a signed header that occurs twice", () => {
    const twice = request([...vector("x-svc"), "x-svc-version", "2022-11-02"]);
    assert.deepEqual(verify(NATIVE, twice), [400, "InvalidHeaderValue"]);
    for (const name of ["Content-Type", "If-Modified-Since", "Range"]) {
      const doubled = request([...vector("x-svc"), name, "unsigned", name, ""]);
      assert.deepEqual(verify(NATIVE, doubled), [400, "InvalidHeaderValue"], name);
    }
  });

  test("accepts SharedKeyLite, which signs of the query only comp", () => {
    const text =
      "PUT\n\n\n\nx-svc-copy-source:http://127.0.0.1:10000/acct/src/a.bin\n" +
      "x-svc-date:Sat, 21 Nov 2026 12:00:00 GMT\nx-svc-version:2022-11-02\n" +
      "/acct/acct/logs/day.log?comp=appendblock";
    const lite = `SharedKeyLite acct:${signed(text)}`;
    assert.equal(verify(lite, request(vector("x-svc"))), undefined);
  });

  test("takes a secondary address signed with the suffix or without", () => {
    for (const path of ["/acct-secondary/c/b", "/acct/c/b"]) {
      const date = "x-svc-date:Sat, 21 Nov 2026 12:00:00 GMT\n";
      const text = `GET${"\n".repeat(12)}${date}/acct${path}`;
      const headers = ["x-svc-date", "Sat, 21 Nov 2026 12:00:00 GMT"];
      const sent = request(headers, { method: "GET", url: "/acct-secondary/c/b" });
      assert.equal(verify(`SharedKey acct:${signed(text)}`, sent), undefined);
    }
  });

  test("takes metadata in plain order and in the order of a culture", () => {
    const headers = ["x-svc-date", NOON.toUTCString(), "x-svc-meta-a_b", "2", "x-svc-meta-a1", "1"];
    const lines = ["x-svc-meta-a1:1\n", "x-svc-meta-a_b:2\n"];
    for (const meta of [lines, lines.toReversed()]) {
      const own = `x-svc-date:${NOON.toUTCString()}\n${meta.join("")}`;
      const text = `GET${"\n".repeat(12)}${own}/acct/acct/c`;
      const sent = request(headers, { method: "GET", url: "/acct/c" });
      assert.equal(verify(`SharedKey acct:${signed(text)}`, sent), undefined);
    }
  });

  test("sorts and joins query values, decoded, and folds white space of headers", () => {
    const headers = [
      "X-Svc-Date",
      NOON.toUTCString(),
      "x-svc-meta-a",
      '  a   b "c   d" ',
      "Range",
      "x",
    ];
    const text =
      `GET${"\n".repeat(11)}x\nx-svc-date:${NOON.toUTCString()}\nx-svc-meta-a:a b "c   d"\n` +
      "/acct/acct/c/b%20b\na:1\nprefix:a+b/c,z";
    const url = "/acct/c/b%20b?Prefix=z&prefix=a%2Bb%2Fc&a=1";
    const sent = request(headers, { method: "GET", url });
    assert.equal(verify(`SharedKey acct:${signed(text)}`, sent), undefined);
  });

  test("says nothing of the signature or of the query in its refusal", () => {
    const sent = request(vector("x-svc"), { url: `${APPEND}&sig=secret` });
    const credential = parseSharedKey(NATIVE);
    assert.ok(credential);
    assert.throws(
      () => requireSharedKey(sent, credential, [KEY], NOON),
      (error) =>
        error instanceof Problem && !/secret|exXX6|10000/.test(JSON.stringify(error.detail)),
    );
  });
});
