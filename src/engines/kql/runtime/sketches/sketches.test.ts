import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { array, assert as check, integer, property } from "fast-check";
import type { Json } from "../../types.ts";
import { callerOf } from "../call-function.ts";
import { sketchFunctions } from "./index.ts";

const call = callerOf(sketchFunctions);

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

function isWithin(actual: unknown, expected: number, part: number): void {
  const number =
    typeof actual === "bigint" || typeof actual === "number" ? Number(actual) : Number.NaN;
  assert.ok(Math.abs(number - expected) <= part * expected, `${number} is not near ${expected}`);
}

void suite("counts of distinct values", () => {
  test("are exact for few and within the documented error for many", () => {
    assert.equal(call("dcount_of", [1, 1, 2, "2", null, { a: 1 }, { a: 1 }]), 4n);
    assert.equal(call("dcount_of", []), 0n);
    assert.equal(call("dcount_of", range(0, 4000)), 4000n);
    isWithin(call("dcount_of", range(0, 50_000)), 50_000, 0.03);
    isWithin(call("dcount_of", range(0, 50_000), 4n), 50_000, 0.01);
  });

  test("merge as if all values had been counted at once", () => {
    const [one, other] = [call("hll_of", range(0, 3000)), call("hll_of", range(2000, 5000))];
    assert.equal(call("dcount_hll", one), 3000n);
    const merged = call("hll_merge", one, other, null);
    assert.deepEqual(merged, call("hll_of", range(0, 5000)));
    assert.deepEqual(call("hll_merge_of", [one, other] as Json), merged);
    const fine = call("hll_of", range(0, 30_000), 3n);
    const coarse = call("hll_of", range(20_000, 60_000), 0n);
    isWithin(call("dcount_hll", call("hll_merge", fine, coarse)), 60_000, 0.06);
    assert.deepEqual(
      call("hll_merge", fine, call("hll_of", range(0, 5), 0n)),
      call("hll_of", range(0, 30_000), 0n),
    );
  });

  test("are null of what is no state", () => {
    assert.equal(call("dcount_hll", [1, 2]), null);
    assert.equal(call("hll_of", [null]), null);
    assert.equal(call("hll_isvalid", call("hll_of", [1])), true);
    assert.equal(call("hll_isvalid", ["hll", 14, "registers", "AAAA"]), false);
  });

  test("do not depend on how values were split", () => {
    check(
      property(
        array(integer({ min: 0, max: 50 })),
        array(integer({ min: 0, max: 50 })),
        (one, other) => {
          const merged = call("hll_merge", call("hll_of", one), call("hll_of", other));
          assert.equal(call("dcount_hll", merged) ?? 0n, BigInt(new Set([...one, ...other]).size));
        },
      ),
    );
  });
});

void suite("digests of distributions", () => {
  test("give exact percentiles for few values", () => {
    const digest = call("tdigest_of", [5, 1, 4, 2, 3]);
    assert.equal(call("percentile_tdigest", digest, 50), 3);
    assert.deepEqual(call("percentiles_array_tdigest", digest, [0, 40, 100]), [1, 2, 5]);
    assert.deepEqual(call("percentiles_array_tdigest", digest, 20, 41), [1, 3]);
    assert.equal(call("rank_tdigest", digest, 3.5), 3);
    assert.equal(call("percentrank_tdigest", digest, 4n), 80);
  });

  test("give close percentiles for many", () => {
    const digest = call(
      "tdigest_of",
      range(0, 20_000).map((value) => (value * 7919) % 20_000),
    );
    for (const share of [1, 25, 50, 75, 99]) {
      isWithin(call("percentile_tdigest", digest, share), share * 200, 0.03);
    }
    isWithin(call("rank_tdigest", digest, 5000), 5000, 0.03);
    assert.ok(Array.isArray(digest) && Array.isArray(digest[2]) && digest[2].length < 400);
  });

  test("hold times and weights", () => {
    const days = call("tdigest_of", ["2020-01-01T00:00:00Z", "2020-01-03T00:00:00Z"]);
    assert.equal(call("percentile_tdigest", days, 100), "2020-01-03T00:00:00.0000000Z");
    const spans = call("tdigest_of", ["00:01:00", "1.00:00:00"]);
    assert.equal(call("percentile_tdigest", spans, 10), "00:01:00");
    const weighted = call("tdigest_of", [10, 20, 30], [1, 8, 1]);
    assert.equal(call("rank_tdigest", weighted, 10), 1);
  });

  test("merge, and are null without values", () => {
    const merged = call("tdigest_merge", call("tdigest_of", [1, 2]), null, call("tdigest_of", [3]));
    assert.deepEqual(merged, call("tdigest_of", [3, 2, 1]));
    assert.deepEqual(call("tdigest_merge_of", [merged] as Json), merged);
    assert.equal(call("tdigest_of", []), null);
    assert.equal(call("percentile_tdigest", ["tdigest"], 50), null);
    assert.equal(call("tdigest_isvalid", merged), true);
  });
});
