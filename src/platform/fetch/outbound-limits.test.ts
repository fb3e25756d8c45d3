import assert from "node:assert/strict";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { suite, test } from "node:test";
import { OutboundError, type OutboundReason } from "./outbound-error.ts";
import { createOutboundFetch, type OutboundFetchOptions } from "./outbound-fetch.ts";
import { serve, serveTcp } from "./test-servers.ts";

const SHORT_MS = 200;

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

suite("limits of outbound fetch", () => {
  test("a name that takes too long to resolve", async () => {
    const lookup = () => new Promise<string[]>(() => {});
    const fetch = fetchWith({ lookup, connectTimeoutMs: SHORT_MS });
    const sentence = /^The host slow\.test did not take the connection within 200 ms\.$/;
    await assert.rejects(fetch("http://slow.test/?sig=secret"), failed("timeout", sentence));
  });

  test("a server that accepts and does not greet", async (t) => {
    const port = await serveTcp(t, () => {});
    const fetch = fetchWith({ connectTimeoutMs: SHORT_MS });
    const answer = fetch(`https://127.0.0.1:${port}/`);
    await assert.rejects(answer, failed("timeout", /did not take the connection within/));
  });

  test("a server that takes the request and does not answer", async (t) => {
    const closed = Promise.withResolvers<void>();
    const port = await serve(t, (request) => request.socket.on("close", () => closed.resolve()));
    const fetch = fetchWith({ headersTimeoutMs: SHORT_MS });
    const answer = fetch(`http://127.0.0.1:${port}/`);
    await assert.rejects(answer, failed("timeout", /did not begin to answer within 200 ms/));
    await closed.promise;
  });

  test("an answer that stops in the middle", async (t) => {
    const closed = Promise.withResolvers<void>();
    const port = await serve(t, (request, response) => {
      response.write("half");
      request.socket.on("close", () => closed.resolve());
    });
    const answer = await fetchWith({ idleTimeoutMs: SHORT_MS })(`http://127.0.0.1:${port}/`);
    await assert.rejects(buffer(answer.body), failed("timeout", /did not continue its answer/));
    await closed.promise;
  });

  test("an answer that never ends", async (t) => {
    const port = await serve(t, (_request, response) => {
      const drip = setInterval(() => response.write("x"), 5);
      response.on("close", () => clearInterval(drip));
    });
    const url = `http://127.0.0.1:${port}/`;
    const answer = await fetchWith()(url, { totalTimeoutMs: SHORT_MS });
    await assert.rejects(
      buffer(answer.body),
      failed("timeout", /not answer completely within 200/),
    );
    const unread = await fetchWith({ totalTimeoutMs: SHORT_MS })(url);
    assert.equal(unread.status, 200);
  });

  test("no limit for a reader that takes its time", async (t) => {
    const port = await serve(t, (_request, response) => {
      response.write("first");
      response.end("second");
    });
    const answer = await fetchWith({ idleTimeoutMs: SHORT_MS })(`http://127.0.0.1:${port}/`);
    const parts: string[] = [];
    for await (const chunk of answer.body) {
      parts.push(Buffer.from(chunk).toString());
      await wait(2 * SHORT_MS);
    }
    assert.equal(parts.join(""), "firstsecond");
  });

  test("a host that is not there, or not any more", async (t) => {
    const port = await serveTcp(t, (socket) => socket.destroy());
    const cut = await serveTcp(t, (socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"));
    });
    const noName = fetchWith({ lookup: async () => [] })("http://none.test/");
    await assert.rejects(noName, failed("unreachable", /^The name of the host none\.test does/));
    const lookup = () => Promise.reject(new Error("ENOTFOUND"));
    const unknown = fetchWith({ lookup })("http://unknown.test/");
    await assert.rejects(unknown, failed("unreachable", /^The name of the host unknown\.test/));
    const hungUp = fetchWith()(`http://127.0.0.1:${port}/?sig=secret`);
    const sentence = /^The connection to 127\.0\.0\.1:\d+ failed \(ECONNRESET\)\.$/;
    await assert.rejects(hungUp, failed("unreachable", sentence));
    const half = await fetchWith()(`http://127.0.0.1:${cut}/`);
    await assert.rejects(buffer(half.body), failed("unreachable", /failed \(ECONNRESET\)/));
  });
});

suite("ending an outbound fetch early", () => {
  test("before the answer, while it waits and while it reads closes the connection", async (t) => {
    const closed = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    const arrived = Promise.withResolvers<void>();
    let count = 0;
    const port = await serve(t, (request, response) => {
      const connection = closed[count];
      count += 1;
      request.socket.on("close", () => connection?.resolve());
      arrived.resolve();
      if (request.url === "/body") response.write("half");
    });
    const url = `http://127.0.0.1:${port}`;
    const reason = new Error("the client has gone");
    const gone = AbortSignal.abort(reason);
    await assert.rejects(fetchWith()(url, { signal: gone }), reason);

    const waiting = new AbortController();
    const answer = fetchWith()(url, { signal: waiting.signal });
    void arrived.promise.then(() => waiting.abort(reason));
    await assert.rejects(answer, reason);

    const reading = new AbortController();
    const half = await fetchWith()(`${url}/body`, { signal: reading.signal });
    const body = buffer(half.body);
    reading.abort(reason);
    await assert.rejects(body, reason);

    (await fetchWith()(`${url}/body`)).discard();
    const stopped = await fetchWith()(`${url}/body`);
    for await (const chunk of stopped.body) {
      assert.equal(Buffer.from(chunk).toString(), "half");
      break;
    }
    await Promise.all(closed.map(({ promise }) => promise));
  });
});

suite("many outbound fetches at once", () => {
  test("wait for a free place, and are busy when too many wait", async (t) => {
    const port = await serve(t, (request, response) => response.end(request.url));
    const url = `http://127.0.0.1:${port}`;
    const fetch = fetchWith({ parallelMax: 1, waitingMax: 1 });
    const first = await fetch(`${url}/first`);
    const second = fetch(`${url}/second`);
    const sentence = /^Too many fetches wait already: none from 127\.0\.0\.1 now\.$/;
    await assert.rejects(fetch(`${url}/third?sig=secret`), failed("busy", sentence));
    assert.equal((await buffer(first.body)).toString(), "/first");
    assert.equal((await buffer((await second).body)).toString(), "/second");
  });

  test("give their place back however they end", async (t) => {
    const port = await serve(t, (request, response) => {
      if (request.url !== "/silent") response.end("answer");
    });
    const url = `http://127.0.0.1:${port}`;
    const fetch = fetchWith({ parallelMax: 1, waitingMax: 0, headersTimeoutMs: SHORT_MS });
    await assert.rejects(fetch(`${url}/silent`), failed("timeout", /did not begin/));
    await assert.rejects(fetch("http://10.0.0.1/"), failed("refused", /public/));
    await assert.rejects(fetch(url, { headers: { "x-a": "\n" } }), failed("refused", /HTTP/));
    await assert.rejects(fetch(url, { signal: AbortSignal.abort() }), { name: "AbortError" });
    const answer = await fetch(url);
    assert.equal((await buffer(answer.body)).toString(), "answer");
  });

  test("stop to wait when their time is over", async (t) => {
    const port = await serve(t, () => {});
    const url = `http://127.0.0.1:${port}`;
    const fetch = fetchWith({ parallelMax: 1 });
    const stop = new AbortController();
    const first = fetch(url, { signal: stop.signal });
    const second = fetch(url, { totalTimeoutMs: SHORT_MS });
    await assert.rejects(second, failed("timeout", /did not answer completely within 200 ms/));
    stop.abort();
    await assert.rejects(first, { name: "AbortError" });
  });
});
