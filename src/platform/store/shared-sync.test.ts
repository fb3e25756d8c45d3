import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createSharedSync } from "./shared-sync.ts";

/** A disk whose syncs begin when they are asked for and end when the test says so. */
function slowDisk() {
  const begun: PromiseWithResolvers<void>[] = [];
  const shared = createSharedSync(() => {
    const sync = Promise.withResolvers<void>();
    begun.push(sync);
    return sync.promise;
  });
  const done: string[] = [];
  const cover = async (name: string) => {
    await shared.covered();
    done.push(name);
  };
  return { begun, shared, done, cover };
}

suite("a shared sync", () => {
  test("covers with the next sync all that came while one ran", async () => {
    const { begun, done, cover } = slowDisk();
    const first = cover("a");
    const later = Promise.all(["b", "c", "d"].map(cover));
    assert.equal(begun.length, 1);
    begun[0]?.resolve();
    await first;
    assert.deepEqual(done, ["a"]);
    assert.equal(begun.length, 2);
    begun[1]?.resolve();
    await later;
    assert.deepEqual(done, ["a", "b", "c", "d"]);
  });

  test("begins anew when nobody waits", async () => {
    const { begun, cover } = slowDisk();
    for (const index of [0, 1, 2]) {
      const covered = cover("a");
      assert.equal(begun.length, index + 1);
      begun[index]?.resolve();
      await covered;
    }
  });

  test("rejects all who wait and all who come after the disk has failed", async () => {
    const { begun, shared, done, cover } = slowDisk();
    const waiting = [cover("a"), cover("b")];
    begun[0]?.reject(new Error("input/output error"));
    const refused = { message: "The disk refused to store data; nothing is written any more." };
    for (const write of waiting) await assert.rejects(write, refused);
    await assert.rejects(cover("c"), refused);
    await assert.rejects(cover("d"), refused);
    assert.throws(shared.check, refused);
    assert.equal(begun.length, 1);
    assert.deepEqual(done, []);
  });
});
