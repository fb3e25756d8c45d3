import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { contentOf, RECORD_BYTES, RUN_BYTES, type Block } from "./blocks.ts";
import { checkAll, checkTail, openLedger, type Attempt, type Ledger } from "./ledger.ts";
import type { StoreClient } from "./store-client.ts";

const BLOB = "a.log";
const first: Block = { kind: "record", number: 0 };
const second: Block = { kind: "run", number: 7 };
const third: Block = { kind: "record", number: 2 };
const [inFirst, inSecond, inThird] = [first, second, third].map((block) => contentOf(BLOB, block));

/** First and second acknowledged, the third in flight when the server was killed. */
function ledgerOfThree(): Ledger {
  const attempts: Attempt[] = [
    { block: first, place: { offset: 0, count: 1 } },
    { block: second, place: { offset: RECORD_BYTES, count: 2 } },
    { block: third },
  ];
  return { ...openLedger(BLOB), attempts };
}

/** Answers as a server that holds this content would; undefined is a server without the blob. */
function holding(parts: readonly (Buffer | undefined)[] | undefined, count = 0): StoreClient {
  const content = Buffer.concat((parts ?? []).filter((part) => part !== undefined));
  const head = { length: content.length, count, etag: '"1"' };
  const refuse = () => Promise.reject(new Error("Checks only read."));
  return {
    createContainer: refuse,
    createAppendBlob: refuse,
    append: refuse,
    properties: async () => (parts === undefined ? undefined : head),
    read: async (_, start, end) => ({ ...head, content: content.subarray(start, end) }),
    close() {},
  };
}

async function faults(client: StoreClient): Promise<string[]> {
  return (await checkTail(ledgerOfThree(), client)).map(({ kind, text }) => `${kind}: ${text}`);
}

suite("what is left after a crash", () => {
  test("may or may not contain what was never acknowledged", async () => {
    assert.deepEqual(await faults(holding([inFirst, inSecond], 2)), []);
    assert.deepEqual(await faults(holding([inFirst, inSecond, inThird], 3)), []);
  });

  test("has lost what was acknowledged and is not there", async () => {
    assert.deepEqual(await faults(holding([inFirst], 1)), [
      `lost: run 7, acknowledged at 4096 of ${BLOB}, is not there.`,
    ]);
    assert.deepEqual(await faults(holding(undefined)), [
      `lost: record 0, acknowledged at 0 of ${BLOB}, is not there.`,
      `lost: run 7, acknowledged at 4096 of ${BLOB}, is not there.`,
    ]);
  });

  test("has half a block where one ends too early or appears twice", async () => {
    const half = inThird?.subarray(0, RECORD_BYTES / 2);
    assert.deepEqual(await faults(holding([inFirst, inSecond, half], 2)), [
      `half: record 2 at ${RECORD_BYTES + RUN_BYTES} of ${BLOB} is not whole, or was never sent.`,
    ]);
    assert.deepEqual(await faults(holding([inFirst, inSecond, inFirst], 3)), [
      `half: record 0 at ${RECORD_BYTES + RUN_BYTES} of ${BLOB} is there twice.`,
      `wrong: ${BLOB} counts 3 blocks and holds 2.`,
    ]);
  });

  test("is wrong where place, number or count differ from what was answered", async () => {
    assert.deepEqual(await faults(holding([inThird, inFirst, inSecond], 3)), [
      `wrong: record 0 of ${BLOB} was acknowledged at 0 as number 1, and is at 4096 as number 2.`,
      `wrong: run 7 of ${BLOB} was acknowledged at 4096 as number 2, ` +
        `and is at 8192 as number 3.`,
    ]);
    assert.deepEqual(await faults(holding([inFirst, inSecond], 3)), [
      `wrong: ${BLOB} counts 3 blocks and holds 2.`,
    ]);
  });

  test("still has to be there after later crashes", async () => {
    const ledger = ledgerOfThree();
    assert.deepEqual(await checkTail(ledger, holding([inFirst, inSecond], 2)), []);
    assert.deepEqual(await checkAll(ledger, holding([inFirst, inSecond], 2)), []);
    const torn = [inFirst, Buffer.alloc(RUN_BYTES)];
    assert.deepEqual(await checkAll(ledger, holding(torn, 2)), [
      { kind: "lost", text: `run 7 is no longer at 4096 of ${BLOB}.` },
    ]);
    assert.deepEqual(await checkTail(ledger, holding([inFirst], 1)), [
      { kind: "lost", text: `${BLOB} has 4096 bytes, but had ${RECORD_BYTES + RUN_BYTES}.` },
    ]);
  });
});
