import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { after, before, suite, test } from "node:test";
import { createOutboundFetch } from "#platform/fetch/outbound-fetch.ts";
import { createAppendBlob, send, startStorage, type TestStorage } from "../storage.fixture.ts";

const CONTENT = "0123456789";

/** A server with one page per way of behaving. */
/** How often a page has been asked for that is never the same twice. */
let versions = 0;
const PAGES: Readonly<
  Record<string, (request: IncomingMessage, response: ServerResponse) => void>
> = {
  "/good": (request, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    if (first === undefined) return response.end(CONTENT);
    const end = Math.min(last === "" ? 9 : Number(last), 9);
    response.writeHead(206, { "content-range": `bytes ${first}-${end}/10` });
    return response.end(CONTENT.slice(Number(first), end + 1));
  },
  "/chunked": (_request, response) => {
    response.write(CONTENT.slice(0, 4));
    response.end(CONTENT.slice(4));
  },
  "/deaf": (_request, response) => response.end(CONTENT),
  "/wrong-part": (_request, response) => {
    response.writeHead(206, { "content-range": "bytes 0-1/10" }).end("01");
  },
  "/short-part": (_request, response) => {
    response.writeHead(206, { "content-range": "bytes 0-3/1000" }).end("0123");
  },
  "/encoded": (_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(CONTENT);
  },
  "/odd-status": (_request, response) => response.writeHead(999).end(),
  "/escaped": (_request, response) => {
    response.writeHead(403).end("<Error><Message>a &amp; b</Message></Error>");
  },
  "/redirect": (_request, response) => {
    response.writeHead(302, { location: "/good" }).end();
  },
  "/to-metadata": (_request, response) => {
    response.writeHead(307, { location: "http://169.254.169.254/latest/meta-data" }).end();
  },
  "/counting": (request, response) => {
    versions += 1;
    const etag = `"${versions}"`;
    const wanted = request.headers["if-match"] ?? etag;
    if (wanted === etag) response.end(`version ${versions}`);
    else response.writeHead(412).end();
  },
  "/stalling": (_request, response) => {
    response.writeHead(200, { "content-length": "10" });
    response.write("012");
  },
  "/private": (_request, response) => {
    response.writeHead(403, { "x-ms-error-code": "AuthorizationFailure" });
    response.end("<Error><Code>Other</Code><Message>Keep out.</Message></Error>");
  },
  "/xml": (_request, response) => {
    response.writeHead(403).end("<Error><Code>AccessDenied</Code><Message>No.</Message></Error>");
  },
  "/changed": (_request, response) => response.writeHead(412).end(),
  "/token": (request, response) => {
    const { authorization = "none", "x-svc-version": version = "none" } = request.headers;
    const { "x-ms-version": own = "none", "x-ms-file-request-intent": intent = "none" } =
      request.headers;
    response.end([authorization, version, own, intent].map(String).join());
  },
  "/broken": (_request, response) => {
    response.writeHead(200, { "content-length": "10" });
    response.write("012", () => response.destroy());
  },
  "/huge": (_request, response) => {
    response.writeHead(200, { "content-length": String(2 ** 30) });
    response.write("x", () => {});
  },
  "/endless": (_request, response) => {
    const chunk = Buffer.alloc(2 ** 20);
    const pour = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", pour);
    pour();
  },
  "/silent": () => {},
  "/empty": (_request, response) => response.end(),
};

suite("Append Block From URL, from another server", () => {
  const server = createServer((request, response) => {
    const [page = ""] = (request.url ?? "").split("?");
    asked.push(page);
    PAGES[page]?.(request, response);
  });
  const asked: string[] = [];
  let storage: TestStorage;
  let origin = "";

  before(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    storage = await startStorage();
    await createAppendBlob(storage, "logs/a");
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await storage.stop();
  });

  const append = (source: string, headers = {}, query = "") =>
    send(storage, `logs/a?comp=appendblock${query}`, {
      headers: { "x-svc-copy-source": source, ...headers },
      version: "2021-12-02",
    });
  /** Status, code and, when it was appended, the block. */
  const outcome = async (page: string, headers = {}, query = "") => {
    const old = (await send(storage, "logs/a", { method: "GET" })).text;
    const { status, code } = await append(`${origin}${page}`, headers, query);
    const now = (await send(storage, "logs/a", { method: "GET" })).text;
    assert.ok(now.startsWith(old));
    return [status, code === "" ? now.slice(old.length) : code];
  };
  const range = (text: string) => ({ "x-svc-source-range": text });
  const REFUSED = "CannotVerifyCopySource";

  test("takes the whole, a range, and content of unknown length", async () => {
    assert.deepEqual(await outcome("/good"), [201, CONTENT]);
    assert.deepEqual(await outcome("/good", range("bytes=0-")), [201, CONTENT]);
    assert.deepEqual(await outcome("/good", range("bytes=2-4")), [201, "234"]);
    assert.deepEqual(await outcome("/good", range("bytes=7-")), [201, "789"]);
    assert.deepEqual(await outcome("/chunked"), [201, CONTENT]);
  });

  test("passes on the source's own credentials and nothing of the request's", async () => {
    const headers = { "x-svc-copy-source-authorization": "Bearer abc" };
    const intent = { "x-svc-file-request-intent": "backup" };
    const withIntent = {
      headers: { "x-svc-copy-source": `${origin}/token`, ...headers, ...intent },
    };
    const version = "2025-07-05";
    const passed = ["Bearer abc", "none", version].join();
    assert.deepEqual(await outcome("/token", headers), [201, `${passed},none`]);
    assert.deepEqual(await outcome("/token"), [201, "none,none,none,none"]);
    assert.equal((await send(storage, "logs/a?comp=appendblock", withIntent)).status, 201);
    const { text } = await send(storage, "logs/a", { method: "GET" });
    assert.ok(text.endsWith(`${passed},backup`), text);
  });

  test("refuses answers that are not what was asked for", async () => {
    assert.deepEqual(await outcome("/deaf", range("bytes=2-4")), [400, REFUSED]);
    assert.deepEqual(await outcome("/wrong-part", range("bytes=2-4")), [400, REFUSED]);
    assert.deepEqual(await outcome("/short-part", range("bytes=0-9")), [400, REFUSED]);
    assert.deepEqual(await outcome("/encoded"), [400, REFUSED]);
    assert.deepEqual(await outcome("/odd-status"), [500, REFUSED]);
    assert.deepEqual(await outcome("/redirect"), [400, REFUSED]);
    assert.deepEqual(await outcome("/broken"), [500, REFUSED]);
    assert.deepEqual(await outcome("/empty"), [400, "InvalidHeaderValue"]);
  });

  test("never asks for what a source redirects to", async () => {
    asked.length = 0;
    assert.deepEqual(await outcome("/redirect"), [400, REFUSED]);
    assert.deepEqual(await outcome("/to-metadata"), [400, REFUSED]);
    assert.deepEqual(asked, ["/redirect", "/to-metadata"]);
  });

  test("takes what the source is at the time, and once, however it changes", async () => {
    asked.length = 0;
    const first = await outcome("/counting");
    const second = await outcome("/counting");
    assert.deepEqual(
      [first, second],
      [
        [201, "version 1"],
        [201, "version 2"],
      ],
    );
    const held = await outcome("/counting", { "x-svc-source-if-match": '"2"' });
    assert.deepEqual(held, [412, "SourceConditionNotMet"]);
    assert.deepEqual(asked, ["/counting", "/counting", "/counting"]);
  });

  test("is done with a source that stops in the middle when the time is over", async () => {
    assert.deepEqual(await outcome("/stalling", {}, "&timeout=1"), [500, REFUSED]);
  });

  test("passes on a sentence of the source once, not twice escaped", async () => {
    const { text } = await append(`${origin}/escaped`);
    const sentence = "<CopySourceErrorMessage>a &amp; b</CopySourceErrorMessage>";
    assert.ok(text.includes(sentence), text);
  });

  test("tells the CRC64 unless the source's own MD5 was sent", async () => {
    const md5 = createHash("md5").update(CONTENT).digest("base64");
    const told = async (name: string) => {
      const { headers } = await append(`${origin}/good`, { [name]: md5 });
      return [headers["content-md5"], headers["x-svc-content-crc64"] !== undefined];
    };
    assert.deepEqual(await told("content-md5"), [md5, true]);
    assert.deepEqual(await told("x-svc-source-content-md5"), [md5, false]);
  });

  test("does not pass over a checksum that has no place in the request", async () => {
    const { status, code } = await append(`${origin}/good`, { "x-svc-content-crc64": "AA==" });
    assert.deepEqual([status, code], [400, "UnsupportedHeader"]);
  });

  test("says with the source's status and code that it was the source that refused", async () => {
    const { status, code, text } = await append(`${origin}/private?sig=secret`);
    assert.deepEqual([status, code], [403, REFUSED]);
    const elements =
      "<CopySourceStatusCode>403</CopySourceStatusCode>" +
      "<CopySourceErrorCode>AuthorizationFailure</CopySourceErrorCode>" +
      "<CopySourceErrorMessage>Keep out.</CopySourceErrorMessage></Error>";
    assert.ok(text.endsWith(elements), text);
    assert.doesNotMatch(text, /secret/);
    const { headers } = await append(`${origin}/xml`);
    assert.equal(headers["x-svc-copy-source-error-code"], "AccessDenied");
  });

  test("tells a condition on the source that does not hold", async () => {
    const headers = { "x-svc-source-if-match": '"1"' };
    assert.deepEqual(await outcome("/changed", headers), [412, "SourceConditionNotMet"]);
    assert.deepEqual(await outcome("/changed"), [412, REFUSED]);
  });

  test("takes no more than a block may have, whether the length is announced or not", async () => {
    assert.deepEqual(await outcome("/huge"), [413, "RequestBodyTooLarge"]);
    assert.deepEqual(await outcome("/endless"), [413, "RequestBodyTooLarge"]);
  });

  test("waits as long as the request says and no longer", async () => {
    assert.deepEqual(await outcome("/silent", {}, "&timeout=1"), [500, REFUSED]);
  });

  test("reads no address that is not public, unless it is allowed by name", async () => {
    const outbound = createOutboundFetch({ allowedHosts: [], allowLoopback: false });
    const guarded = await startStorage({ outbound });
    await createAppendBlob(guarded, "logs/a");
    const hosts = ["127.0.0.1", "169.254.169.254", "10.0.0.1", "[::ffff:127.0.0.1]", "2130706433"];
    for (const host of hosts) {
      const headers = { "x-svc-copy-source": `http://${host}:${new URL(origin).port}/good` };
      const { status, code } = await send(guarded, "logs/a?comp=appendblock", { headers });
      assert.deepEqual([host, status, code], [host, 403, REFUSED]);
    }
    await guarded.stop();
  });

  test("tells a server that cannot be reached", async () => {
    const { status, code } = await append("http://127.0.0.1:9/a");
    assert.deepEqual([status, code], [500, REFUSED]);
  });
});
