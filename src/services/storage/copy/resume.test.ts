import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { rangesIn } from "../page-blobs/page-blobs.fixture.ts";
import { send, startStorage, type TestStorage } from "../storage.fixture.ts";

const MIB = 2 ** 20;
const LIMIT_MS = 20_000;
const CONTENT = randomBytes(20 * MIB);
const STALLS_AT = 13 * MIB;

/** What the source does, which the tests change while a copy goes on. */
interface Source {
  stalls: boolean;
  etag: string;
  knowsRanges: boolean;
  readonly headers: Record<string, string>;
  readonly asked: IncomingHttpHeaders[];
}

/** A server whose answers break off in the middle, or go on, with what headers it is told. */
async function startSource(content: Buffer) {
  const source: Source = {
    stalls: true,
    etag: '"one"',
    knowsRanges: true,
    headers: {},
    asked: [],
  };
  const server = createServer(({ headers }, response) => {
    source.asked.push(headers);
    answer(response, headers);
  });
  function answer(response: ServerResponse, headers: IncomingHttpHeaders): void {
    const { etag } = source;
    if (headers["if-match"] !== undefined && headers["if-match"] !== etag) {
      response.writeHead(412).end();
      return;
    }
    const [, first] = /^bytes=(\d+)-$/.exec(headers.range ?? "") ?? [];
    const isPart = source.knowsRanges && first !== undefined;
    const from = isPart ? Number(first) : 0;
    response.writeHead(isPart ? 206 : 200, {
      ...source.headers,
      etag,
      "content-length": content.length - from,
      ...(isPart && { "content-range": `bytes ${from}-${content.length - 1}/${content.length}` }),
    });
    if (source.stalls) response.write(content.subarray(from, STALLS_AT));
    else response.end(content.subarray(from));
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/a?sig=s3cret`;
  return {
    source,
    url,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function properties(storage: TestStorage) {
  return (await send(storage, "box/target", { method: "HEAD" })).headers;
}

async function becomes(storage: TestStorage, done: (status: string, progress: number) => boolean) {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const headers = await properties(storage);
    const taken = Number.parseInt(String(headers["x-svc-copy-progress"]), 10);
    if (done(String(headers["x-svc-copy-status"]), taken)) return headers;
    assert.ok(performance.now() < deadline, `the copy is at ${taken}`);
    await wait(10);
  }
}

const isSettled = (status: string) => status !== "pending";

/** Begins a copy, and stops the service in the middle of it; `change` is what happens meanwhile. */
async function interrupted(
  change: (source: Source) => void,
  check: (storage: TestStorage, source: Source) => Promise<void>,
): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-storage-"));
  const location = { kind: "sqlite", file: join(folder.path, "storage.db") } as const;
  const options = { dir: folder.path, location };
  const foreign = await startSource(CONTENT);
  const first = await startStorage(options);
  await send(first, "box?restype=container");
  await send(first, "box/target", { headers: { "x-svc-copy-source": foreign.url } });
  await becomes(first, (_, taken) => taken >= 12 * MIB);
  assert.equal((await send(first, "box/target", { method: "GET" })).bytes.length, 0);
  await first.stop();
  change(foreign.source);
  const second = await startStorage(options);
  await check(second, foreign.source);
  await second.stop();
  foreign.stop();
}

suite("a copy from another server, with a restart in between", () => {
  test("goes on where it was, if the source is what it was", async () => {
    await interrupted(
      (source) => {
        source.stalls = false;
      },
      async (storage, { asked }) => {
        const { "x-svc-copy-status": status } = await becomes(storage, isSettled);
        assert.equal(status, "success");
        const { bytes } = await send(storage, "box/target", { method: "GET" });
        assert.ok(bytes.equals(CONTENT));
        assert.equal(asked.length, 2);
        const { range, "if-match": etag } = asked[1] ?? {};
        assert.deepEqual([range, etag], [`bytes=${12 * MIB}-`, '"one"']);
      },
    );
  });

  test("fails if the source is another one by now, and leaves nothing", async () => {
    await interrupted(
      (source) => {
        source.etag = '"two"';
      },
      async (storage) => {
        const headers = await becomes(storage, isSettled);
        assert.deepEqual(
          [headers["x-svc-copy-status"], headers["content-length"]],
          ["failed", "0"],
        );
      },
    );
  });

  test("begins anew where the source knows no ranges", async () => {
    await interrupted(
      (source) => {
        source.knowsRanges = false;
        source.stalls = false;
      },
      async (storage) => {
        const { "x-svc-copy-status": status } = await becomes(storage, isSettled);
        assert.equal(status, "success");
        const { bytes } = await send(storage, "box/target", { method: "GET" });
        assert.ok(bytes.equals(CONTENT));
      },
    );
  });

  test("can be aborted after it, and no source is told in the open", async () => {
    await interrupted(
      () => {},
      async (storage) => {
        const { "x-svc-copy-id": id, "x-svc-copy-source": shown } = await properties(storage);
        assert.equal(String(shown).includes("s3cret"), false);
        const headers = { "x-svc-copy-action": "abort" };
        const path = `box/target?comp=copy&copyid=${String(id)}`;
        assert.equal((await send(storage, path, { headers })).status, 204);
        const ended = await properties(storage);
        assert.deepEqual([ended["x-svc-copy-status"], ended["content-length"]], ["aborted", "0"]);
      },
    );
  });
});

suite("a copy from a server that says what kind of blob it has", () => {
  const copy = async (headers: Record<string, string>, content: Buffer, sent = {}) => {
    const foreign = await startSource(content);
    Object.assign(foreign.source.headers, headers);
    foreign.source.stalls = false;
    const storage = await startStorage();
    await send(storage, "box?restype=container");
    const source = { "x-svc-copy-source": foreign.url, ...sent };
    const made = await send(storage, "box/target", { headers: source });
    return { storage, foreign, made };
  };

  test("makes an append blob, to which one may append", async () => {
    const said = { "x-ms-blob-type": "AppendBlob", "x-ms-blob-committed-block-count": "7" };
    const { storage, foreign } = await copy(said, Buffer.from("abc"));
    const headers = await becomes(storage, isSettled);
    assert.deepEqual(
      [headers["x-svc-blob-type"], headers["x-svc-blob-committed-block-count"]],
      ["AppendBlob", "7"],
    );
    await send(storage, "box/target?comp=appendblock", { body: "def" });
    assert.equal((await send(storage, "box/target", { method: "GET" })).text, "abcdef");
    await storage.stop();
    foreign.stop();
  });

  test("makes a page blob, without its zeros", async () => {
    const content = Buffer.alloc(MIB);
    content.fill("p", 512 * 1024, 512 * 1024 + 512);
    const said = { "x-ms-blob-type": "PageBlob", "x-ms-blob-sequence-number": "5" };
    const { storage, foreign } = await copy(said, content);
    const headers = await becomes(storage, isSettled);
    assert.deepEqual(
      [headers["x-svc-blob-type"], headers["x-svc-blob-sequence-number"]],
      ["PageBlob", "5"],
    );
    const list = await send(storage, "box/target?comp=pagelist", { method: "GET" });
    assert.equal(rangesIn(list), "1024-1151");
    const { bytes } = await send(storage, "box/target", { method: "GET" });
    assert.ok(bytes.equals(content));
    await storage.stop();
    foreign.stop();
  });

  test("takes no other kind of blob's place, and is for block blobs while one waits", async () => {
    const sync = { "x-svc-requires-sync": "true" };
    const said = { "x-ms-blob-type": "AppendBlob" };
    const { storage, foreign, made } = await copy(said, Buffer.from("abc"), sync);
    assert.deepEqual([made.status, made.code], [409, "InvalidSourceBlobType"]);
    const form = { "x-svc-blob-type": "PageBlob", "x-svc-blob-content-length": "512" };
    await send(storage, "box/target", { headers: form });
    await send(storage, "box/target", { headers: { "x-svc-copy-source": foreign.url } });
    const headers = await becomes(storage, isSettled);
    assert.equal(headers["x-svc-copy-status"], "failed");
    const why = String(headers["x-svc-copy-status-description"]);
    assert.match(why, /was of the type PageBlob, and the source is of AppendBlob/);
    await storage.stop();
    foreign.stop();
  });
});
