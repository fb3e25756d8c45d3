import assert from "node:assert/strict";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { suite, test } from "node:test";
import { openLocalAuthority } from "../tls/local-authority.ts";
import { OutboundError, type OutboundReason } from "./outbound-error.ts";
import { createOutboundFetch, type OutboundFetchOptions } from "./outbound-fetch.ts";
import { serve, serveTls } from "./test-servers.ts";

function fetchWith(options: Partial<OutboundFetchOptions> = {}) {
  return createOutboundFetch({ allowedHosts: [], allowLoopback: true, ...options });
}

function failed(reason: OutboundReason, sentence: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof OutboundError);
    assert.equal(error.reason, reason);
    assert.match(error.message, sentence);
    return true;
  };
}

suite("outbound fetch", () => {
  test("answers with status, headers and body, and never asks for compression", async (t) => {
    const port = await serve(t, (request, response) => {
      const { method, url, headers } = request;
      response.writeHead(206, { "content-range": "bytes 0-1/9" });
      request.setEncoding("utf8").on("data", (body) => {
        response.end(JSON.stringify({ method, url, headers, body }));
      });
    });
    const answer = await fetchWith()(`http://127.0.0.1:${port}/a?b=c`, {
      method: "POST",
      headers: { Range: "bytes=0-1", Host: "other.test", "Accept-Encoding": "gzip" },
      body: "content",
    });
    assert.deepEqual([answer.status, answer.headers["content-range"]], [206, "bytes 0-1/9"]);
    assert.deepEqual(JSON.parse((await buffer(answer.body)).toString()), {
      method: "POST",
      url: "/a?b=c",
      headers: {
        range: "bytes=0-1",
        "accept-encoding": "identity",
        host: `127.0.0.1:${port}`,
        connection: "close",
        "content-length": "7",
      },
      body: "content",
    });
  });

  test("returns a redirect instead of following it", async (t) => {
    let requests = 0;
    const port = await serve(t, (_request, response) => {
      requests += 1;
      response.writeHead(302, { location: "http://169.254.169.254/" }).end();
    });
    const answer = await fetchWith()(`http://127.0.0.1:${port}/`);
    answer.discard();
    assert.deepEqual([answer.status, answer.headers.location], [302, "http://169.254.169.254/"]);
    assert.equal(requests, 1);
  });

  test("passes an answer on as it comes, larger than any buffer", async (t) => {
    const part = Buffer.alloc(1024 * 1024, "x");
    const port = await serve(t, (_request, response) => {
      for (let count = 0; count < 20; count += 1) response.write(part);
      response.end();
    });
    const answer = await fetchWith()(`http://127.0.0.1:${port}/`);
    let size = 0;
    for await (const chunk of answer.body) size += chunk.length;
    assert.equal(size, 20 * part.length);
  });

  test("keeps the name for TLS and Host while it connects to the address it checked", async (t) => {
    const dir = await mkdtemp(join(tmpdir(), "atoll-fetch-"));
    const now = () => new Date();
    const local = await openLocalAuthority({ dir, hosts: ["source.test"], now });
    const port = await serveTls(t, local, (request, response) => {
      response.end(request.headers.host);
    });
    const lookup = async () => ["127.0.0.1"];
    const authorities = [await readFile(local.caFile, "utf8")];
    const answer = await fetchWith({ lookup, authorities })(`https://source.test:${port}/`);
    assert.equal((await buffer(answer.body)).toString(), `source.test:${port}`);
    const untrusted = fetchWith({ lookup })(`https://source.test:${port}/?sig=secret`);
    const sentence = /^The connection to source\.test:\d+ failed \(UNABLE_TO_VERIFY_LEAF_SIGN/;
    await assert.rejects(untrusted, failed("unreachable", sentence));
    const misnamed = fetchWith({ lookup, authorities })(`https://other.test:${port}/`);
    await assert.rejects(misnamed, failed("unreachable", /ERR_TLS_CERT_ALTNAME_INVALID/));
  });

  test("refuses what is no plain web address", async () => {
    const fetch = fetchWith();
    const long = `http://a.test/${"x".repeat(2035)}`;
    await assert.rejects(fetch(long), failed("refused", /at most 2048 characters.* has 2049/));
    await assert.rejects(fetch("/relative?sig=secret"), failed("refused", /absolute URL\.$/));
    await assert.rejects(fetch("file:///etc/passwd"), failed("refused", /not file:$/));
    await assert.rejects(fetch("ftp://a.test/"), failed("refused", /Only http and https/));
    const user = fetch("http://user:word@a.test/");
    await assert.rejects(user, failed("refused", /^The URL of a\.test must not carry a user name/));
    const header = fetch("http://127.0.0.1:1/", { headers: { "x-a": "b\r\nc: d" } });
    await assert.rejects(header, failed("refused", /what HTTP does not allow/));
  });

  test("refuses this machine and its networks in every spelling, and sends nothing", async (t) => {
    let requests = 0;
    const port = await serve(t, (_request, response) => {
      requests += 1;
      response.end();
    });
    const fetch = fetchWith({ allowLoopback: false });
    const hosts = [
      "127.0.0.1",
      "127.1",
      "2130706433",
      "0x7f.1",
      "0177.0.0.1",
      "localhost",
      "LOCALHOST",
      "%6c%6fcalhost",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "[64:ff9b::7f00:1]",
      "0.0.0.0",
      "0",
      "169.254.169.254",
      "[fd00:ec2::254]",
    ];
    for (const host of hosts) {
      const answer = fetch(`http://${host}:${port}/?sig=secret`);
      await assert.rejects(answer, failed("refused", /^\S+ is not on the public internet; allow/));
    }
    assert.equal(requests, 0);
  });

  test("still refuses other networks while this machine is allowed", async () => {
    for (const host of ["0.0.0.0", "10.0.0.1", "169.254.169.254", "[fe80::1]", "[::ffff:a00:1]"]) {
      await assert.rejects(fetchWith()(`http://${host}/`), failed("refused", /public internet/));
    }
  });

  test("refuses a name if any of its addresses is not public", async () => {
    const lookups = [["10.0.0.1"], ["1.1.1.1", "192.168.0.1"], ["2606:4700::1111", "::ffff:a00:1"]];
    for (const addresses of lookups) {
      const fetch = fetchWith({ lookup: async () => addresses });
      await assert.rejects(fetch("http://source.test/"), failed("refused", /^source\.test is not/));
    }
  });

  test("resolves a name once, so that a second answer cannot lead elsewhere", async (t) => {
    const port = await serve(t, (_request, response) => response.end("first"));
    const answers = [["127.0.0.1"], ["127.0.0.2"]];
    const lookup = async () => answers.shift() ?? [];
    const answer = await fetchWith({ lookup })(`http://rebind.test:${port}/`);
    assert.equal((await buffer(answer.body)).toString(), "first");
    assert.deepEqual(answers, [["127.0.0.2"]]);
  });

  test("fetches from a host that is allowed by name, wherever it leads", async (t) => {
    const port = await serve(t, (_request, response) => response.end("inside"));
    const lookup = async () => ["127.0.0.1"];
    const allowedHosts = [".intern.test", `other.test:${port + 1}`];
    const fetch = fetchWith({ allowLoopback: false, allowedHosts, lookup });
    const answer = await fetch(`http://a.intern.test:${port}/`);
    assert.equal((await buffer(answer.body)).toString(), "inside");
    const refused = failed("refused", /public internet/);
    await assert.rejects(fetch(`http://other.test:${port}/`), refused);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`), refused);
  });
});
