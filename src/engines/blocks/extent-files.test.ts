import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { suite, test, type TestContext } from "node:test";
import * as fc from "fast-check";
import type { BlockRun, BlockStore } from "./block-store.ts";
import { crc64 } from "./crc64.ts";
import { openExtentFiles } from "./extent-files.ts";
import { ExtentReader, READ_HANDLES_MAX } from "./extent-reader.ts";

const KIB = 1024;
const options = { md5: false };

async function folder(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "atoll-blocks-"));
  t.after(() => rm(dir, { recursive: true }));
  return dir;
}

async function opened(t: TestContext, extentBytesMax?: number) {
  const dir = await folder(t);
  const store = await openExtentFiles(
    extentBytesMax === undefined ? { dir } : { dir, extentBytesMax },
  );
  t.after(() => store.close());
  return { dir, store };
}

/** Bytes that tell where they come from. */
function pattern(seed: number, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => seed * 37 + index * 11 + (index >> 8));
}

async function* inPieces(bytes: Uint8Array, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    yield await Promise.resolve(bytes.subarray(start, start + pieceBytes));
  }
}

function put(store: BlockStore, bytes: Uint8Array) {
  return store.write(bytes, { length: bytes.length, ...options });
}

function get(store: BlockStore, runs: readonly BlockRun[]): Promise<Buffer> {
  return buffer(store.read(runs));
}

suite("extent files", () => {
  test("give back what was written, with its checksums", async (t) => {
    const { store } = await opened(t);
    const bytes = pattern(1, 700 * KIB);
    const written = await store.write(inPieces(bytes, 10_000), { length: bytes.length, md5: true });
    await store.sync();
    const md5 = createHash("md5").update(bytes).digest();
    const run = { extent: 1, offset: 0, length: bytes.length };
    assert.deepEqual(written, { ...run, crc64: crc64(bytes), md5 });
    assert.ok((await get(store, [written])).equals(bytes));
  });

  test("keep 64 writers apart that come in small pieces at the same time", async (t) => {
    const { store } = await opened(t, 2048 * KIB);
    const inputs = Array.from({ length: 64 }, (_, seed) => pattern(seed, seed * 2000));
    const written = await Promise.all(
      inputs.map(async (bytes, seed) => {
        const source = inPieces(bytes, 100 + seed * 50);
        const block = await store.write(source, { length: bytes.length, md5: false });
        await store.sync();
        return block;
      }),
    );
    for (const [index, block] of written.entries()) {
      const bytes = inputs[index] ?? new Uint8Array(0);
      assert.deepEqual(block.crc64, crc64(bytes));
      assert.ok((await get(store, [block])).equals(bytes));
    }
    const all = await get(store, written);
    assert.ok(all.equals(Buffer.concat(inputs)));
    assert.deepEqual([...new Set(written.map((block) => block.extent))], [1, 2]);
  });

  test("take and give nothing, and an array that is long", async (t) => {
    const { store, dir } = await opened(t);
    const nothing = await put(store, new Uint8Array(0));
    const sums = { crc64: new Uint8Array(8), md5: undefined };
    assert.deepEqual(nothing, { extent: 1, offset: 0, length: 0, ...sums });
    await store.sync();
    assert.deepEqual(await readdir(dir), []);
    assert.deepEqual([await get(store, []), await get(store, [nothing])].map(String), ["", ""]);
    const long = pattern(3, 3000 * KIB + 1);
    assert.ok((await get(store, [await put(store, long)])).equals(long));
  });

  test("go on after what was there when they are opened again", async (t) => {
    const { dir, store } = await opened(t);
    const before = await put(store, pattern(1, 1000));
    await store.sync();
    await store.close();

    const again = await openExtentFiles({ dir });
    t.after(() => again.close());
    const after = await put(again, pattern(2, 500));
    assert.deepEqual([after.extent, after.offset], [1, 1000]);
    const both = Buffer.concat([pattern(1, 1000), pattern(2, 500)]);
    assert.ok((await get(again, [before, after])).equals(both));
  });

  test("begin the next file when one is full, and give a long write one of its own", async (t) => {
    const { dir, store } = await opened(t, 1000);
    const lengths = [600, 400, 1, 5000, 1];
    const written: BlockRun[] = [];
    for (const [seed, length] of lengths.entries())
      written.push(await put(store, pattern(seed, length)));
    assert.deepEqual(
      written.map(({ extent, offset }) => [extent, offset]),
      [
        [1, 0],
        [1, 600],
        [2, 0],
        [3, 0],
        [4, 0],
      ],
    );
    await store.sync();
    const names = ["00000001", "00000002", "00000003", "00000004"].map((name) => `${name}.extent`);
    assert.deepEqual((await readdir(dir)).toSorted(), names);
    const whole = Buffer.concat(lengths.map((length, seed) => pattern(seed, length)));
    assert.ok((await get(store, written)).equals(whole));
  });

  test("may be many more than are kept open", async (t) => {
    const { dir, store } = await opened(t, 100);
    const count = 3 * READ_HANDLES_MAX;
    const inputs = Array.from({ length: count }, (_, seed) => pattern(seed, 100));
    const written = await Promise.all(inputs.map((bytes) => put(store, bytes)));
    await store.sync();
    assert.equal((await readdir(dir)).length, count);

    const reader = new ExtentReader(dir);
    t.after(() => reader.close());
    const runs = [...written, ...written];
    const read = await Promise.all(runs.map((run) => buffer(reader.read([run]))));
    assert.ok(Buffer.concat(read).equals(Buffer.concat([...inputs, ...inputs])));
    assert.equal(reader.openHandles, READ_HANDLES_MAX);
  });

  test("give any parts in any order", async (t) => {
    const { store } = await opened(t, 4000);
    const blocks: { readonly bytes: Uint8Array; readonly run: BlockRun }[] = [];
    for (let seed = 0; seed < 8; seed += 1) {
      const bytes = pattern(seed, 1500);
      blocks.push({ bytes, run: await put(store, bytes) });
    }
    const part = fc.tuple(fc.nat(7), fc.nat(1500), fc.nat(1500));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
        const wanted = parts.flatMap(([index, one, other]) => {
          const block = blocks[index];
          const [start, end] = [Math.min(one, other), Math.max(one, other)];
          return block === undefined ? [] : [{ ...block, start, end }];
        });
        const runs = wanted.map(({ run, start, end }) => ({
          extent: run.extent,
          offset: run.offset + start,
          length: end - start,
        }));
        const expected = wanted.map(({ bytes, start, end }) => bytes.subarray(start, end));
        assert.deepEqual(await get(store, runs), Buffer.concat(expected));
      }),
      { numRuns: 50 },
    );
  });
});
