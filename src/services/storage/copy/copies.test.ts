import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createCopies } from "./copies.ts";

suite("copies under way", () => {
  test("are 64 at a time; the others wait, and need not begin once they are aborted", async () => {
    const copies = createCopies((error) => assert.fail(String(error)));
    const begun: string[] = [];
    const first = Promise.withResolvers<void>();
    const rest = Promise.withResolvers<void>();
    for (let number = 0; number < 67; number += 1) {
      const id = String(number);
      copies.start(id, async () => {
        begun.push(id);
        await (number === 0 ? first.promise : rest.promise);
      });
    }
    assert.deepEqual([begun.length, copies.isRunning("66"), copies.isFull()], [64, true, true]);
    copies.abort("64");
    first.resolve();
    for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
    assert.deepEqual([begun.length, begun.at(-1)], [65, "65"]);
    rest.resolve();
    await copies.stop();
    assert.equal(begun.includes("64"), false);
  });
});
