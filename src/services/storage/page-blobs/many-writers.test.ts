import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { send, startStorage } from "../storage.fixture.ts";
import { verifyStorage } from "../verify.ts";
import { clearPages, createPageBlob, PAGE, pagesOf, writePages } from "./page-blobs.fixture.ts";

const WRITERS = 8;
const WRITES = 25;
const PAGES = 32;

suite("a page blob that many write to at once", () => {
  test("has whole writes only, in the order of their tags, and after a restart", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-storage-"));
    const location = { kind: "sqlite", file: join(folder.path, "storage.db") } as const;
    const options = { dir: folder.path, location };
    const first = await startStorage(options);
    await createPageBlob(first, "disks/a", PAGES);
    const done: { etag: string; first: number; count: number; text: string }[] = [];
    const work = { isOver: false };
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let round = 0; round < WRITES; round += 1) {
        const from = (writer * 5 + round * 7) % PAGES;
        const count = Math.min(1 + ((writer + round) % 6), PAGES - from);
        const isClear = round % 7 === 6;
        const text = isClear ? "." : String.fromCharCode(97 + ((writer * WRITES + round) % 26));
        const { status, headers } = isClear
          ? await clearPages(first, "disks/a", from, count)
          : await writePages(first, "disks/a", from, { text, count });
        assert.equal(status, 201);
        done.push({ etag: String(headers["etag"]), first: from, count, text });
      }
    });
    const reader = (async () => {
      // No reader ever gets half a page.
      while (!work.isOver) {
        assert.equal((await pagesOf(first, "disks/a")).includes("?"), false);
        await turn();
      }
    })();
    const ended = Promise.all(writers).finally(() => {
      work.isOver = true;
    });
    await Promise.all([ended, reader]);

    const expected = Array.from({ length: PAGES }, () => ".");
    for (const write of done.toSorted((one, other) => (one.etag < other.etag ? -1 : 1))) {
      expected.fill(write.text, write.first, write.first + write.count);
    }
    assert.equal(await pagesOf(first, "disks/a"), expected.join(""));
    const range = { "x-svc-range": `bytes=${PAGE}-${3 * PAGE - 1}` };
    const part = await send(first, "disks/a", { method: "GET", headers: range });
    assert.equal(part.bytes.length, 2 * PAGE);
    await first.stop();

    const found = (damage: unknown) => assert.fail(JSON.stringify(damage));
    await verifyStorage({ location, dir: folder.path, found });
    const second = await startStorage(options);
    assert.equal(await pagesOf(second, "disks/a"), expected.join(""));
    await second.stop();
  });
});
