import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createHotStates } from "./hot-states.ts";

suite("states in memory", () => {
  test("are one per name, for however many use it", async () => {
    let loads = 0;
    const states = createHotStates(async (key) => {
      loads += 1;
      return key;
    }, 2);
    const entries = await Promise.all(
      Array.from({ length: 10 }, () => states.use("a", (entry) => entry)),
    );
    assert.deepEqual([loads, new Set(entries).size, entries[0]?.visible], [1, 1, "a"]);
  });

  test("stay while they are used, and go when they were used longest ago", async () => {
    const loaded: string[] = [];
    const states = createHotStates(async (key) => {
      loaded.push(key);
      return key;
    }, 1);
    await states.use("held", async (held) => {
      for (const key of ["b", "c", "b"]) await states.use(key, () => {});
      await states.use("held", (same) => assert.equal(same, held));
    });
    assert.deepEqual(loaded, ["held", "b", "c", "b"]);
  });

  test("that could not be read are read again", async () => {
    let fails = true;
    const states = createHotStates(async () => {
      if (fails) throw new Error("no");
      return 1;
    }, 10);
    await assert.rejects(async () => states.use("a", () => {}));
    fails = false;
    assert.equal(await states.use("a", ({ visible }) => visible), 1);
  });
});
