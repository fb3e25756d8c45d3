import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import { combineCrc64, crc64, createCrc64 } from "./crc64.ts";

const MIB = 2 ** 20;

function base64(crc: Uint8Array): string {
  return Buffer.from(crc).toString("base64");
}

function bytes(length: number, at: (index: number) => number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => at(index));
}

suite("CRC-64", () => {
  test("is what the blob protocol sends", () => {
    const vectors: readonly (readonly [Uint8Array, string])[] = [
      [Buffer.from(""), "AAAAAAAAAAA="],
      [Buffer.from("123456789"), "iJh5CoYUi64="],
      [Buffer.from("hello"), "V0JSBnCFdzM="],
      [bytes(256, (index) => index), "bpbZeRLicf8="],
      [new Uint8Array(1024), "iknlm7CyG2k="],
      [bytes(4 * MIB, (index) => 31 * index + 7), "3u4d4o9R/E0="],
    ];
    const seen = vectors.map(([input]) => base64(crc64(input)));
    assert.deepEqual(
      seen,
      vectors.map(([, expected]) => expected),
    );
  });

  test("may be asked for along the way", () => {
    const crc = createCrc64();
    assert.deepEqual(base64(crc.digest()), "AAAAAAAAAAA=");
    crc.update(Buffer.from("12345"));
    assert.deepEqual(crc.digest(), crc64(Buffer.from("12345")));
    crc.update(Buffer.from("6789"));
    assert.deepEqual(base64(crc.digest()), "iJh5CoYUi64=");
  });

  test("of many streams at once does not mix them up", () => {
    const pieces = fc.array(fc.tuple(fc.nat(4), fc.uint8Array({ maxLength: 50 })));
    fc.assert(
      fc.property(pieces, (writes) => {
        const crcs = Array.from({ length: 5 }, () => createCrc64());
        for (const [stream, piece] of writes) crcs[stream]?.update(piece);
        const wholes = crcs.map((_, index) =>
          crc64(Buffer.concat(writes.flatMap(([of, piece]) => (of === index ? [piece] : [])))),
        );
        assert.deepEqual(
          crcs.map((crc) => crc.digest()),
          wholes,
        );
      }),
    );
  });
});

suite("the CRC-64 of parts", () => {
  test("combines to that of the whole, wherever it was cut", () => {
    const input = fc.tuple(fc.uint8Array({ maxLength: 5000 }), fc.nat(5000));
    fc.assert(
      fc.property(input, ([whole, cut]) => {
        const [a, b] = [whole.subarray(0, cut), whole.subarray(cut)];
        assert.deepEqual(combineCrc64(crc64(a), crc64(b), b.length), crc64(whole));
      }),
    );
  });

  test("combines in any grouping", () => {
    const part = fc.uint8Array({ maxLength: 300 });
    fc.assert(
      fc.property(part, part, part, (a, b, c) => {
        const left = combineCrc64(crc64(a), crc64(b), b.length);
        const right = combineCrc64(crc64(b), crc64(c), c.length);
        const whole = crc64(Buffer.concat([a, b, c]));
        assert.deepEqual(combineCrc64(left, crc64(c), c.length), whole);
        assert.deepEqual(combineCrc64(crc64(a), right, b.length + c.length), whole);
      }),
    );
  });

  test("combines over lengths that no memory holds", () => {
    // Behind `a` come 2^k zero bytes: doubling k times must agree with one long shift.
    let zeros = crc64(new Uint8Array(1));
    for (let length = 1; length < 2 ** 52; length *= 2) zeros = combineCrc64(zeros, zeros, length);
    const a = crc64(Buffer.from("hello"));
    const half = combineCrc64(a, crc64(new Uint8Array(0)), 0);
    assert.deepEqual(half, a);
    const before = combineCrc64(combineCrc64(a, zeros, 2 ** 52), crc64(new Uint8Array(3)), 3);
    const after = combineCrc64(zeros, crc64(new Uint8Array(3)), 3);
    assert.deepEqual(before, combineCrc64(a, after, 2 ** 52 + 3));
  });
});
