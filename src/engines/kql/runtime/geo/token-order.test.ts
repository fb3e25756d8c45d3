import { deepEqual, equal } from "node:assert/strict";
import { suite, test } from "node:test";
import { inListedOrder } from "./token-order.ts";

suite("the order of sets of cells", () => {
  test("tokens of one bucket stand together, the last one first", () => {
    // Only the lowest three bits of the hash count: "a" and "i" fall together, and "b" and "j".
    deepEqual(inListedOrder(["a", "b", "c", "i", "j"]), ["i", "a", "j", "b", "c"]);
  });

  test("a token is listed once", () => {
    deepEqual(inListedOrder(["x", "x", "x"]), ["x"]);
  });

  test("a set that grows keeps all its tokens", () => {
    const tokens = Array.from({ length: 5000 }, (_, index) => `token${index}`);
    const listed = inListedOrder(tokens);
    equal(listed.length, tokens.length);
    deepEqual(listed.toSorted(), tokens.toSorted());
  });
});
