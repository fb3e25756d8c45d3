import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { joinNeighbours } from "./extent-reader.ts";

suite("runs to read", () => {
  test("are read as one where they follow each other in one extent", () => {
    const runs = [
      { extent: 1, offset: 0, length: 4 },
      { extent: 1, offset: 4, length: 4 },
      { extent: 9, offset: 0, length: 0 },
      { extent: 1, offset: 8, length: 1 },
      { extent: 2, offset: 9, length: 1 },
      { extent: 2, offset: 9, length: 1 },
    ];
    assert.deepEqual(
      [...joinNeighbours(runs)],
      [
        { extent: 1, offset: 0, length: 9 },
        { extent: 2, offset: 9, length: 1 },
        { extent: 2, offset: 9, length: 1 },
      ],
    );
  });
});
