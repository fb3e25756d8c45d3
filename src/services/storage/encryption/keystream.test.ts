import assert from "node:assert/strict";
import { createCipheriv, randomBytes } from "node:crypto";
import { suite, test } from "node:test";
import { cipherAt, cipherOf, movedNonce, newPlace, nonceAt } from "./keystream.ts";

const KEY = Buffer.alloc(32, 5);

suite("the keystream of a write", () => {
  test("is that of AES-256 in counter mode", () => {
    const counter = Buffer.from("00112233445566778899aabbccddeeff", "hex");
    const plain = randomBytes(100);
    const expected = createCipheriv("aes-256-ctr", KEY, counter).update(plain);
    const place = BigInt(`0x${counter.toString("hex")}`) * 16n;
    assert.deepEqual(Buffer.from(cipherAt(KEY, place)(plain)), expected);
  });

  test("is found for any part of what was written, wherever it lies", () => {
    const plain = randomBytes(1000);
    for (const offset of [0, 1, 15, 16, 4097, 2 ** 40 + 3]) {
      const place = newPlace();
      const stored = cipherAt(KEY, place)(plain);
      const nonce = nonceAt(place, offset);
      assert.equal(nonce.length, 17);
      for (const [from, to] of [
        [0, 1000],
        [1, 2],
        [15, 33],
        [16, 999],
        [777, 1000],
      ] as const) {
        const read = cipherOf(KEY, { offset: offset + from, nonce });
        const part = Buffer.from(read(stored.subarray(from, to)));
        assert.deepEqual(part, plain.subarray(from, to), `${offset} ${from}`);
      }
    }
  });

  test("goes around where the counter ends, and moves along with the bytes", () => {
    const plain = randomBytes(64);
    const last = ((1n << 128n) - 2n) * 16n;
    const stored = cipherAt(KEY, last)(plain);
    const nonce = nonceAt(last, 5);
    const read = cipherOf(KEY, { offset: 45, nonce });
    assert.deepEqual(Buffer.from(read(stored.subarray(40))), plain.subarray(40));
    const moved = cipherOf(KEY, { offset: 2_000, nonce: movedNonce(nonce, 1_995) });
    assert.deepEqual(Buffer.from(moved(stored)), plain);
    const back = cipherOf(KEY, { offset: 0, nonce: movedNonce(nonceAt(0n, 99), -99) });
    assert.deepEqual(Buffer.from(back(cipherAt(KEY, 0n)(plain))), plain);
  });

  test("begins elsewhere for each write", () => {
    const places = new Set(Array.from({ length: 1000 }, newPlace));
    assert.equal(places.size, 1000);
  });
});
