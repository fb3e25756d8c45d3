import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createTurns } from "./turns.ts";

suite("turns", () => {
  test("are taken one after the other, also after one that failed", async () => {
    const inTurn = createTurns();
    const order: string[] = [];
    const slow = Promise.withResolvers<void>();
    const first = inTurn(async () => {
      await slow.promise;
      order.push("first");
      throw new Error("no");
    });
    const second = inTurn(async () => order.push("second"));
    slow.resolve();
    await assert.rejects(first, /no/);
    await second;
    assert.deepEqual(order, ["first", "second"]);
  });

  test("are refused when too many wait, and given again when they are done", async () => {
    const inTurn = createTurns();
    const slow = Promise.withResolvers<void>();
    const waiting = Array.from({ length: 1000 }, () => inTurn(() => slow.promise));
    await assert.rejects(
      inTurn(async () => {}),
      { statusCode: 429, code: "TooManyRequests" },
    );
    slow.resolve();
    await Promise.all(waiting);
    assert.equal(await inTurn(async () => "done"), "done");
  });
});
