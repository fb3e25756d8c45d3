import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createCheckedRuns } from "./checked-runs.ts";

const LONG = { extent: 1, offset: 0, length: 2 ** 20 };
const TEN_MINUTES_MS = 600_000;

suite("bytes that were found right", () => {
  test("are taken for right for ten minutes", () => {
    let nowMs = 1;
    const runs = createCheckedRuns(() => nowMs);
    assert.equal(runs.isRight(LONG), false);
    runs.foundRight(LONG);
    assert.equal(runs.isRight(LONG), true);
    nowMs += TEN_MINUTES_MS;
    assert.equal(runs.isRight(LONG), false);
  });

  test("say nothing of other bytes, nor of a part of them", () => {
    const runs = createCheckedRuns(() => 1);
    runs.foundRight(LONG);
    assert.equal(runs.isRight({ ...LONG, offset: 1 }), false);
    assert.equal(runs.isRight({ ...LONG, length: 2 ** 19 }), false);
  });

  test("are checked each time where they are short", () => {
    const runs = createCheckedRuns(() => 1);
    const short = { ...LONG, length: 4096 };
    runs.foundRight(short);
    assert.equal(runs.isRight(short), false);
  });

  test("are forgotten, those that were checked first, when they are very many", () => {
    const runs = createCheckedRuns(() => 1);
    for (let extent = 1; extent <= 10_001; extent += 1) runs.foundRight({ ...LONG, extent });
    assert.equal(runs.isRight(LONG), false);
    assert.equal(runs.isRight({ ...LONG, extent: 2 }), true);
  });
});
