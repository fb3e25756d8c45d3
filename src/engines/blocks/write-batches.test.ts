import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { groupWrites } from "./write-batches.ts";

const MIB = 2 ** 20;

function write(offset: number, length: number, buffers = 1) {
  const done = Promise.withResolvers<void>();
  return {
    offset,
    length,
    buffers: Array.from({ length: buffers }, () => new Uint8Array(0)),
    done,
  };
}

function grouped(writes: Parameters<typeof groupWrites>[0]) {
  return groupWrites(writes).map((batch) => batch.map(({ offset }) => offset));
}

suite("writes that wait", () => {
  test("go out together where they lie side by side", () => {
    const writes = [write(30, 10), write(10, 10), write(50, 10), write(0, 10), write(20, 10)];
    assert.deepEqual(grouped(writes), [[0, 10, 20, 30], [50]]);
    assert.deepEqual(grouped([]), []);
  });

  test("go out in system calls of bounded size", () => {
    const long = [
      write(0, 5 * MIB),
      write(5 * MIB, 3 * MIB),
      write(8 * MIB, 1),
      write(9 * MIB, 20 * MIB),
    ];
    assert.deepEqual(grouped(long), [[0, 5 * MIB], [8 * MIB], [9 * MIB]]);
    assert.deepEqual(grouped([write(0, 1, 1000), write(1, 1, 24), write(2, 1)]), [[0, 1], [2]]);
  });
});
