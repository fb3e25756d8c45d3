import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { crash } from "./crash.ts";

const KILLS = 3;

suite("blobs", () => {
  test("keep each acknowledged write, whole and at its place, through kill -9", async () => {
    const { kills, acknowledged, violations } = await crash({ kills: KILLS, onProgress() {} });
    assert.deepEqual({ kills, violations }, { kills: KILLS, violations: [] });
    assert.ok(acknowledged >= KILLS, `${acknowledged} writes were acknowledged`);
  });
});
