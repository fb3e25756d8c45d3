import assert from "node:assert/strict";
import { randomBytes, randomInt } from "node:crypto";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { openExtentFiles } from "#engines/blocks/extent-files.ts";
import { openStore } from "#platform/store/open-store.ts";
import { runsOfPieces } from "../page-blobs/page-runs.ts";
import { migrations, type BlobRow, type StorageTables } from "../store.ts";
import { PAGE_BYTES, RUN_BYTES_MAX, writePages } from "./page-map.ts";
import { openPages } from "./page-records.ts";

const PAGES = (RUN_BYTES_MAX / PAGE_BYTES) * 3;
const ROUNDS = 150;
const BLOB = 7;

suite("the map of a page blob", () => {
  test("shows every write where it went, and checks what is left of the older ones", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-storage-"));
    const blocks = await openExtentFiles({ dir: folder.path });
    const store = await openStore<StorageTables>({ location: { kind: "memory" }, migrations });
    const expected = Buffer.alloc(PAGES * PAGE_BYTES);
    await store.write((transaction) =>
      transaction.insertInto("blob").values(rowOf(expected.length)).execute(),
    );

    for (let round = 0; round < ROUNDS; round += 1) {
      const first = randomInt(PAGES);
      const count = Math.min(PAGES - first, 1 + randomInt(round % 3 === 0 ? 700 : 12));
      const [begin, end] = [first * PAGE_BYTES, (first + count) * PAGE_BYTES];
      const isClear = round % 5 === 4;
      const bytes = isClear ? Buffer.alloc(end - begin) : randomBytes(end - begin);
      bytes.copy(expected, begin);
      const length = bytes.length;
      const piece = { ...(await blocks.write(bytes, { length, md5: false })), nonce: null };
      const runs = isClear ? [] : await runsOfPieces(blocks, [piece], begin, undefined);
      const rows = runs.map((run) => Object.assign(run, { blobId: BLOB, blockId: null }));
      const change = { kind: "pages-written", blobId: BLOB, begin, end, runs: rows } as const;
      await store.write((transaction) => writePages(transaction, change));
    }

    const blob = { id: BLOB, key: undefined };
    const whole = { begin: 0, end: expected.length };
    for (const span of [whole, { begin: 511, end: 300_001 }, { begin: 513, end: 514 }]) {
      const chunks = [];
      for await (const chunk of await openPages(store.db, blocks, blob, span)) chunks.push(chunk);
      assert.ok(Buffer.concat(chunks).equals(expected.subarray(span.begin, span.end)));
    }
    await blocks.close();
    await store.close();
  });
});

function rowOf(length: number): BlobRow {
  const text = { contentType: null, contentEncoding: null, contentLanguage: null };
  const more = { contentDisposition: null, cacheControl: null, contentMd5: null, lease: null };
  const rare = { tier: null, tierChangedAt: null, tags: null, copy: null, copyRequest: null };
  const keys = { encryptionScope: null, encryptionKeySha256: null, sequenceNumber: "0" };
  const at = "2026-01-01T00:00:00.000Z";
  const times = { etag: "0x1", lastModified: at, createdAt: at };
  const place = { id: BLOB, containerId: 1, name: "pages", snapshot: "", type: "PageBlob" };
  const counts = { length, blockCount: 0, sealed: 0, snapshotCount: 0, metadata: "{}" };
  return { ...place, ...counts, ...times, ...text, ...more, ...rare, ...keys };
}
