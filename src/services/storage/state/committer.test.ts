import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Change } from "./changes.ts";
import { createCommitter } from "./committer.ts";

const deleted = (id: number): Change => ({ kind: "blob-deleted", id });

suite("group commit", () => {
  test("gathers what comes while the disk is busy, and keeps the order", async () => {
    const batches: number[] = [];
    const written: Change[] = [];
    const committer = createCommitter(async (changes) => {
      batches.push(changes.length);
      written.push(...changes);
      await Promise.resolve();
    });
    const order: number[] = [];
    const ids = Array.from({ length: 100 }, (_, id) => id);
    await Promise.all(ids.map((id) => committer.commit(deleted(id)).then(() => order.push(id))));
    assert.deepEqual(order, ids);
    assert.deepEqual(written, ids.map(deleted));
    assert.ok(batches.length < 10, `100 changes took ${batches.length} batches.`);
    await committer.drain();
  });

  test("fails all that wait when one batch fails, and refuses what comes later", async () => {
    let writes = 0;
    const committer = createCommitter(async () => {
      writes += 1;
      throw new Error("no");
    });
    const ids = [1, 2, 3, 4];
    const results = await Promise.allSettled(ids.map((id) => committer.commit(deleted(id))));
    assert.deepEqual(
      results.map(({ status }) => status),
      ids.map(() => "rejected"),
    );
    assert.equal(writes, 1);
    assert.throws(() => committer.commit(deleted(5)), { code: "InternalError" });
    assert.equal(committer.failure()?.message, "no");
    await committer.drain();
  });
});
