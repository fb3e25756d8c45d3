import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { DatabaseSync } from "node:sqlite";
import type { Change } from "./changes.ts";
import { createCommitter } from "./committer.ts";

const nothingToForget = async () => () => {};
const deleted = (id: number): Change => ({ kind: "blob-deleted", id });

suite("group commit", () => {
  test("gathers what comes while the disk is busy, and keeps the order", async () => {
    const batches: number[] = [];
    const written: Change[] = [];
    const committer = createCommitter(async (changes) => {
      batches.push(changes.length);
      written.push(...changes);
      await Promise.resolve();
    }, nothingToForget);
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
    }, nothingToForget);
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

  test("refuses what a full disk did not take, forgets it, and goes on", async () => {
    const disk = smallDisk();
    let forgotten = 0;
    const write = async (changes: readonly Change[]) => changes.forEach(() => disk.write());
    const committer = createCommitter(write, async () => {
      assert.throws(() => committer.commit(deleted(9)), { statusCode: 503, code: "ServerBusy" });
      await Promise.resolve();
      return () => (forgotten += 1);
    });
    await committer.commit(deleted(1));
    disk.fill();
    const results = await Promise.allSettled([2, 3, 4].map((id) => committer.commit(deleted(id))));
    const codes = results.map((result) => "reason" in result && Object(result.reason).code);
    assert.deepEqual(codes, ["ServerBusy", "ServerBusy", "ServerBusy"]);
    await committer.drain();
    assert.deepEqual([forgotten, committer.failure()], [1, undefined]);
    disk.empty();
    await committer.commit(deleted(5));
    await committer.drain();
  });
});

/** A database that may have a few pages only, and says so as it does when its disk is full. */
function smallDisk() {
  const sqlite = new DatabaseSync(":memory:");
  sqlite.exec(
    "pragma page_size = 4096; create table page (bytes blob); pragma max_page_count = 8;",
  );
  const write = () => sqlite.exec("insert into page values (zeroblob(3000))");
  return {
    write,
    fill() {
      assert.throws(() => Array.from({ length: 9 }, write), /full/);
    },
    empty: () => sqlite.exec("delete from page"),
  };
}
