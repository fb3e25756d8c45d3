import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { openExtentFiles } from "./extent-files.ts";
import { joinNeighbours } from "./extent-reader.ts";

const CHUNK_BYTES = 512 * 1024;

/** A store with a run of three chunks, filled with 0, 1 and 2. */
async function threeChunks(dir: string) {
  const blocks = await openExtentFiles({ dir });
  const bytes = Buffer.concat([0, 1, 2].map((value) => Buffer.alloc(CHUNK_BYTES, value)));
  const run = await blocks.write(bytes, { length: bytes.length, md5: false });
  return { blocks, bytes, run };
}

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

suite("chunks that were read", () => {
  test("stay as they are while they are not given back", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-"));
    const { blocks, bytes, run } = await threeChunks(folder.path);
    const chunks: Uint8Array[] = [];
    for await (const chunk of blocks.read([run])) chunks.push(chunk);
    assert.deepEqual(Buffer.concat(chunks), bytes);
    await blocks.close();
  });

  test("are read into again once they are given back", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-"));
    const { blocks, run } = await threeChunks(folder.path);
    const memory = new Set<Uint8Array>();
    const firstBytes: (number | undefined)[] = [];
    for (let round = 1; round <= 3; round += 1) {
      for await (const chunk of blocks.read([run])) {
        memory.add(chunk);
        firstBytes.push(chunk[0]);
        blocks.release(chunk);
      }
    }
    assert.deepEqual(firstBytes, [0, 1, 2, 0, 1, 2, 0, 1, 2]);
    assert.equal(memory.size, 2);
    await blocks.close();
  });

  test("are not taken back twice, nor is what was never read", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-"));
    const { blocks, bytes, run } = await threeChunks(folder.path);
    for await (const chunk of blocks.read([run])) {
      blocks.release(chunk);
      blocks.release(chunk);
      blocks.release(bytes.subarray(0, CHUNK_BYTES));
    }
    const chunks = await Array.fromAsync(blocks.read([run]));
    assert.deepEqual(Buffer.concat(chunks), bytes);
    await blocks.close();
  });
});

suite("chunks that are written", () => {
  test("are freed when the store owns them, and only then", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-"));
    const blocks = await openExtentFiles({ dir: folder.path });
    async function* source(chunk: Uint8Array) {
      yield chunk;
    }
    const given = new Uint8Array(CHUNK_BYTES).fill(7);
    const kept = new Uint8Array(CHUNK_BYTES).fill(8);
    const length = CHUNK_BYTES / 2;
    const owned = given.slice(0, length);
    const first = await blocks.write(source(owned), { length, md5: true, isOwner: true });
    const options = { length: CHUNK_BYTES, md5: true };
    const second = await blocks.write(source(kept), options);
    assert.deepEqual([owned.byteLength, kept.byteLength], [0, CHUNK_BYTES]);
    const read = Buffer.concat(await Array.fromAsync(blocks.read([first, second])));
    assert.deepEqual(read, Buffer.concat([given.subarray(0, length), kept]));
    await blocks.close();
  });
});
