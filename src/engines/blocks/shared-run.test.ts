import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { shareRuns } from "./shared-run.ts";

/** Work that is finished by hand: one entry per run that has begun. */
function byHand() {
  const runs: PromiseWithResolvers<void>[] = [];
  const run = shareRuns(() => {
    const begun = Promise.withResolvers<void>();
    runs.push(begun);
    return begun.promise;
  });
  return { runs, run };
}

suite("a shared run", () => {
  test("answers a call by a run that began after it, and all who wait by one", async () => {
    const { runs, run } = byHand();
    const first = run();
    const later = [run(), run(), run()];
    assert.equal(runs.length, 1);
    runs[0]?.resolve();
    await first;
    await Promise.resolve();
    assert.equal(runs.length, 2);
    const last = run();
    runs[1]?.resolve();
    await Promise.all(later);
    await Promise.resolve();
    assert.equal(runs.length, 3);
    runs[2]?.resolve();
    await last;
    assert.equal(runs.length, 3);
  });

  test("tells a failure to those who waited for it, and the next begins", async () => {
    const { runs, run } = byHand();
    const [first, second] = [run(), run()];
    runs[0]?.reject(new Error("disk"));
    await assert.rejects(first, new Error("disk"));
    await Promise.resolve();
    runs[1]?.resolve();
    await second;
    assert.equal(runs.length, 2);
  });
});
