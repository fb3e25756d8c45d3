import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { storeEngines } from "./support/stores.ts";
import type { StorageOptions } from "#services/storage/index.ts";
import {
  ACCOUNT,
  createAppendBlob,
  ORIGIN,
  send,
  startStorage,
  type TestStorage,
} from "#services/storage/storage.fixture.ts";

const BLOCK_BLOB = { "x-svc-blob-type": "BlockBlob" };
const PAGE_BLOB = { "x-svc-blob-type": "PageBlob" };

/** The names in a listing, prefixes among them, and what comes after it. */
function namesIn(xml: string): { names: string[]; next: string } {
  const names = [...xml.matchAll(/<Name>(.*?)<\/Name>/g)].map(([, name = ""]) => name);
  return { names, next: /<NextMarker>(.*?)<\/NextMarker>/.exec(xml)?.[1] ?? "" };
}

const read = async (storage: TestStorage, path: string) =>
  (await send(storage, path, { method: "GET" })).bytes;

suite("storage keeps its tables", () => {
  for (const { name: engine, lasting, location } of storeEngines()) {
    async function open(options: Partial<StorageOptions> = {}) {
      const folder = await mkdtempDisposable(join(tmpdir(), "atoll-storage-"));
      const where = { dir: folder.path, location: await location(), ...options };
      const storage = await startStorage(where);
      return { folder, where, storage };
    }

    test(`${engine}: appends of many writers, copies and snapshots`, async () => {
      const { folder, storage } = await open();
      await createAppendBlob(storage, "logs/a");
      const records = Array.from({ length: 60 }, (_, at) => `record ${at};`);
      const appended = await Promise.all(
        records.map((body) => send(storage, "logs/a?comp=appendblock", { body })),
      );
      const counts = appended.map(({ headers }) => headers["x-svc-blob-committed-block-count"]);
      assert.deepEqual(new Set(counts).size, records.length);
      const whole = (await read(storage, "logs/a")).toString();
      assert.deepEqual(
        whole.split(";").toSorted(),
        [...records.map((one) => one.slice(0, -1)), ""].toSorted(),
      );

      await send(storage, "logs?restype=container&comp=acl", {
        headers: { "x-svc-blob-public-access": "blob" },
      });
      const source = { "x-svc-copy-source": `${ORIGIN}/${ACCOUNT}/logs/a` };
      await send(storage, "logs/copy", { headers: source });
      const { headers } = await send(storage, "logs/a?comp=snapshot");
      const snapshot = String(headers["x-svc-snapshot"]);
      const again = { headers: { ...source, "x-svc-source-range": "bytes=0-7" } };
      assert.equal((await send(storage, "logs/a?comp=appendblock", again)).status, 201);
      assert.equal((await read(storage, `logs/a?snapshot=${snapshot}`)).toString(), whole);
      assert.equal((await read(storage, "logs/copy")).toString(), whole);
      assert.equal((await read(storage, "logs/a")).toString(), whole + whole.slice(0, 8));
      const included = {
        method: "DELETE",
        headers: { "x-svc-delete-snapshots": "include" },
      } as const;
      assert.equal((await send(storage, "logs/a", included)).status, 202);
      assert.equal((await read(storage, "logs/copy")).toString(), whole);
      await storage.stop();
      await folder.remove();
    });

    test(`${engine}: listings in the order of bytes, page by page`, async () => {
      const { folder, storage } = await open();
      await send(storage, "names?restype=container");
      const names = [
        "B",
        "a",
        "a b",
        "a-b",
        "a/1",
        "a/2",
        "a_b",
        "ab",
        "b",
        "z",
        "é",
        "日本",
        "😀",
      ];
      for (const name of names.toReversed()) {
        const tags = { "x-svc-tags": `n=${name.length}` };
        const headers = { ...BLOCK_BLOB, ...tags };
        await send(storage, `names/${encodeURIComponent(name)}`, { headers, body: "x" });
      }
      const list = (query: string) =>
        send(storage, `names?restype=container&comp=list${query}`, { method: "GET" });
      const found: string[] = [];
      let marker = "";
      do {
        const page = namesIn((await list(`&maxresults=4&marker=${marker}`)).text);
        found.push(...page.names);
        marker = page.next;
      } while (marker !== "");
      assert.deepEqual(found, names);
      const levels = namesIn((await list("&delimiter=/&prefix=a")).text).names;
      assert.deepEqual(levels.toSorted(), ["a", "a b", "a-b", "a/", "a_b", "ab"]);
      const where = encodeURIComponent("@container='names' AND \"n\" >= '3'");
      const byTag = await send(storage, `?comp=blobs&where=${where}`, { method: "GET" });
      assert.deepEqual(namesIn(byTag.text).names, ["a b", "a-b", "a/1", "a/2", "a_b"]);
      await storage.stop();
      await folder.remove();
    });

    test(`${engine}: block lists, pages, leases, secrets, after a restart`, async () => {
      const { folder, where, storage } = await open();
      await send(storage, "data?restype=container");
      const [one, two] = [randomBytes(70_000), Buffer.from("two")];
      const ids = ["aaaa", "bbbb"];
      await send(storage, "data/list?comp=block&blockid=aaaa", { body: one });
      await send(storage, "data/list?comp=block&blockid=bbbb", { body: two });
      await send(storage, "data/waits?comp=block&blockid=aaaa", { body: two });
      const latest = ids.map((id) => `<Latest>${id}</Latest>`).join("");
      const body = `<BlockList>${latest}</BlockList>`;
      assert.equal((await send(storage, "data/list?comp=blocklist", { body })).status, 201);

      const sized = { ...PAGE_BLOB, "x-svc-blob-content-length": "8192" };
      await send(storage, "data/pages", { headers: sized });
      const pages = randomBytes(1024);
      const range = { "x-svc-range": "bytes=1024-2047", "x-svc-page-write": "update" };
      const put = await send(storage, "data/pages?comp=page", { headers: range, body: pages });
      assert.equal(put.status, 201);

      const lease = { "x-svc-lease-action": "acquire", "x-svc-lease-duration": "-1" };
      await send(storage, "data/list?comp=lease", { headers: lease });
      const key = randomBytes(32).toString("base64");
      const keyed = await keyHeaders(key);
      const secret = { headers: { ...BLOCK_BLOB, ...keyed }, body: one };
      assert.equal((await send(storage, "data/secret", secret)).status, 201);

      const reopened = lasting ? await restarted(storage, where) : storage;
      assert.ok((await read(reopened, "data/list")).equals(Buffer.concat([one, two])));
      const held = await send(reopened, "data/list", { method: "DELETE" });
      assert.deepEqual([held.status, held.code], [412, "LeaseIdMissing"]);
      const waiting = await send(reopened, "data/waits?comp=blocklist&blocklisttype=all", {
        method: "GET",
      });
      assert.match(waiting.text, /<UncommittedBlocks><Block><Name>aaaa<\/Name><Size>3<\/Size>/);
      const zeros = Buffer.alloc(8192);
      pages.copy(zeros, 1024);
      assert.ok((await read(reopened, "data/pages")).equals(zeros));
      const opened = await send(reopened, "data/secret", { method: "GET", headers: keyed });
      assert.ok(opened.bytes.equals(one));
      assert.equal((await send(reopened, "data/secret", { method: "GET" })).status, 409);
      await reopened.stop();
      await folder.remove();
    });
  }
});

async function restarted(storage: TestStorage, where: Partial<StorageOptions>) {
  await storage.stop();
  return startStorage(where);
}

async function keyHeaders(key: string) {
  const digest = await crypto.subtle.digest("SHA-256", Buffer.from(key, "base64"));
  return {
    "x-svc-encryption-key": key,
    "x-svc-encryption-key-sha256": Buffer.from(digest).toString("base64"),
    "x-svc-encryption-algorithm": "AES256",
  };
}
