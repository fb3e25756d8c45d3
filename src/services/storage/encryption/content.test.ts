import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { BlockLengthError } from "#engines/blocks/block-store.ts";
import { crc64 } from "#engines/blocks/crc64.ts";
import { openExtentFiles } from "#engines/blocks/extent-files.ts";
import { readContent, writeContent } from "./content.ts";

const KEY = Buffer.alloc(32, 6);

async function openBlocks() {
  const folder = await mkdtempDisposable(join(tmpdir(), "atoll-content-"));
  const blocks = await openExtentFiles({ dir: folder.path });
  return {
    blocks,
    async [Symbol.asyncDispose]() {
      await blocks.close();
      await folder.remove();
    },
  };
}

/** The bytes in chunks of one size, and whether whoever read them has let go. */
function inChunks(bytes: Uint8Array, size: number) {
  const source = { released: false, [Symbol.asyncIterator]: iterate };
  return source;

  async function* iterate() {
    try {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    } finally {
      source.released = true;
    }
  }
}

suite("content under a key", () => {
  test("has the checksums of what came, and lies otherwise", async () => {
    await using opened = await openBlocks();
    const { blocks } = opened;
    for (const length of [0, 1, 1000, 17_000, 300_001, 2 ** 20 + 3]) {
      const plain = randomBytes(length);
      for (const source of [plain, inChunks(plain, 70_001)]) {
        const content = await writeContent(blocks, source, { length, md5: true, key: KEY });
        assert.deepEqual(Buffer.from(content.crc64), Buffer.from(crc64(plain)));
        assert.deepEqual(content.md5, createHash("md5").update(plain).digest());
        const { pieces } = content;
        assert.equal(pieces.length, length === 0 ? 0 : 1);
        const stored = Buffer.concat(await Array.fromAsync(blocks.read(pieces)));
        assert.equal(length > 16 && stored.equals(plain), false);
        const read = await Array.fromAsync(readContent(blocks.read(pieces), pieces, KEY));
        assert.ok(Buffer.concat(read).equals(plain), `${length}`);
      }
    }
  });

  test("is refused when it has another length, and its source let go", async () => {
    await using opened = await openBlocks();
    const { blocks } = opened;
    for (const length of [999, 1001]) {
      const source = inChunks(randomBytes(1000), 100);
      const written = writeContent(blocks, source, { length, md5: false, key: KEY });
      await assert.rejects(written, BlockLengthError);
      assert.equal(source.released, true);
    }
  });

  test("is not read without its key, nor what has none with one", async () => {
    await using opened = await openBlocks();
    const { blocks } = opened;
    for (const [written, reading] of [
      [KEY, undefined],
      [undefined, KEY],
    ] as const) {
      const options = { length: 3, md5: false, key: written };
      const { pieces } = await writeContent(blocks, Buffer.from("abc"), options);
      const read = Array.fromAsync(readContent(blocks.read(pieces), pieces, reading));
      await assert.rejects(read, /encrypted otherwise/);
    }
  });
});
