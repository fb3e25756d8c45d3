import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { assert as check, integer, property, string } from "fast-check";
import { callerOf } from "../call-function.ts";
import { hashFunctions } from "./index.ts";
import { guidBytes, guidText } from "./value-bytes.ts";

const call = callerOf(hashFunctions);
const START_OF_2015 = 635_556_672_000_000_000n;

void suite("hashes", () => {
  test("of text are those of xxHash64", () => {
    assert.equal(call("hash", "World"), 1846988464401551951n);
    assert.equal(call("hash_xxhash64", "Hello"), 753694413698530628n);
    assert.equal(call("hash", "World", 100n), 51n);
  });

  test("of times are those of their eight bytes", () => {
    assert.equal(call("hash", START_OF_2015), 1380966698541616202n);
  });

  test("differ by type where the bytes do", () => {
    const hashes = [call("hash", 1n), call("hash", 1.5), call("hash", true), call("hash", "1")];
    assert.equal(new Set(hashes).size, hashes.length);
    assert.equal(call("hash", 1n), call("hash", 1));
  });

  test("are null of null and for a modulus of zero", () => {
    assert.equal(call("hash", null), null);
    assert.equal(call("hash", "World", 0n), null);
  });

  test("lie below the modulus", () => {
    check(
      property(string(), integer({ min: 1, max: 1000 }), (text, modulus) => {
        const hash = call("hash", text, BigInt(modulus));
        assert.ok(typeof hash === "bigint" && hash >= 0n && hash < modulus);
      }),
    );
  });

  test("combine by order", () => {
    const [one, other] = [call("hash", "Hello"), call("hash", "World")];
    assert.notEqual(call("hash_combine", one, other), call("hash_combine", other, one));
    assert.equal(call("hash_many", "Hello", "World"), call("hash_combine", one, other));
  });
});

void suite("digests", () => {
  test("are written in hexadecimal digits", () => {
    assert.equal(call("hash_md5", "World"), "f5a7924e621e84c9280a9a27e1bcb7f6");
    assert.equal(call("hash_sha1", "World"), "70c07ec18ef89c5309bbb0937f3a6342411e1fdd");
    assert.equal(
      call("hash_sha256", "World"),
      "78ae647dc5544d227130a0682a51e30bc7777fbb6d8a8f17007463a3ecd1d524",
    );
  });
});

void suite("the bytes of a GUID", () => {
  test("stand in the order of Windows and read back", () => {
    const guid = "00112233-4455-6677-8899-aabbccddeeff";
    const bytes = Buffer.from(guidBytes(guid)).toString("hex");
    assert.equal(bytes, "33221100554477668899aabbccddeeff");
    assert.equal(guidText(guidBytes(guid)), guid);
  });
});
