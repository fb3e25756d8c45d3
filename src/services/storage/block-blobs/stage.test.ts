import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Problem } from "#platform/problem.ts";
import { requireFits } from "./stage.ts";

const LIMIT = 100_000;

suite("blocks that wait", () => {
  test("are at most 100,000, of which each can be put again", () => {
    const ids = Array.from({ length: LIMIT }, (_, index) => String(index).padStart(8, "0"));
    const blocks = new Map(
      ids.map((blockId, id) => [blockId, { id, blockId, length: 1, pieces: [] }]),
    );
    requireFits({ blocks }, "00000000");
    const isFull = (error: unknown) =>
      error instanceof Problem &&
      error.statusCode === 409 &&
      error.code === "BlockCountExceedsLimit";
    assert.throws(() => requireFits({ blocks }, "another1"), isFull);
  });
});
