import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { array, assert as check, integer, property } from "fast-check";
import { callerOf } from "../call-function.ts";
import { dynamicFunctions } from "./index.ts";

const call = callerOf(dynamicFunctions);

void suite("arrays", () => {
  test("are sorted, others along with them", () => {
    assert.deepEqual(call("array_sort_desc", [1, 3, 4, 5, 2], ["a", "b", "c", "d", "e"]), [
      [5, 4, 3, 2, 1],
      ["d", "c", "b", "e", "a"],
    ]);
    const mixed = [1, 3, 2, "a", "c", "b"];
    assert.deepEqual(call("array_sort_asc", mixed), [1, 2, 3, "a", "b", "c"]);
    assert.deepEqual(call("array_sort_desc", mixed), [3, 2, 1, "c", "b", "a"]);
    assert.deepEqual(call("array_sort_desc", ["blue", null, "green"]), ["green", "blue", null]);
    assert.deepEqual(call("array_sort_asc", [2, null, 1], false), [null, 1, 2]);
    assert.deepEqual(call("array_sort_asc", [2, 1], [1]), [[1, 2], null]);
    assert.equal(call("array_sort_asc", { a: 1 }), null);
  });

  test("are turned, shifted and cut", () => {
    const five = [1, 2, 3, 4, 5];
    assert.deepEqual(call("array_rotate_left", five, 2n), [3, 4, 5, 1, 2]);
    assert.deepEqual(call("array_rotate_left", five, -2n), [4, 5, 1, 2, 3]);
    assert.deepEqual(call("array_rotate_right", five, 7n), [4, 5, 1, 2, 3]);
    assert.deepEqual(call("array_shift_left", five, 2n, -1), [3, 4, 5, -1, -1]);
    assert.deepEqual(call("array_shift_left", five, -2n, -1), [-1, -1, 1, 2, 3]);
    assert.deepEqual(call("array_shift_right", five, 2n), [null, null, 1, 2, 3]);
    assert.deepEqual(call("array_shift_right", ["a", "b"], 1n), ["", "a"]);
    assert.deepEqual(call("array_split", five, 2), [
      [1, 2],
      [3, 4, 5],
    ]);
    assert.deepEqual(call("array_split", five, [1, 3]), [[1], [2, 3], [4, 5]]);
    assert.deepEqual(call("array_split", five, -2), [
      [1, 2, 3],
      [4, 5],
    ]);
    assert.deepEqual(call("array_slice", five, 2n, -1n), [3, 4, 5]);
    assert.deepEqual(call("array_slice", five, -3n, -2n), [3, 4]);
    assert.deepEqual(call("array_slice", five, 4n, 9n), [5]);
    assert.equal(call("array_slice", null, 4n, 9n), null);
  });

  test("come back when they are turned there and back", () => {
    check(
      property(array(integer()), integer(), (values, count) => {
        const turned = call("array_rotate_left", values, BigInt(count));
        assert.deepEqual(call("array_rotate_right", turned, BigInt(count)), values);
      }),
    );
  });

  test("are searched", () => {
    const words = ["this", "is", "an", "example", "an", "example"];
    assert.equal(call("array_index_of", words, "example"), 3n);
    assert.equal(call("array_index_of", words, "example", 4n), 5n);
    assert.equal(call("array_index_of", words, "is", -6n), 1n);
    assert.equal(call("array_index_of", words, "an", 3n, 1n), -1n);
    assert.equal(call("array_index_of", words, "an", 0n, -1n, 2n), 4n);
    assert.equal(call("array_index_of", [1, [2], null], [2]), 1n);
    assert.equal(call("array_index_of", words, "an", 0n, -2n), null);
  });

  test("are chosen from, summed, reversed, repeated and zipped", () => {
    assert.deepEqual(call("array_iff", [true, false, true], [1, 2, 3], [4, 5, 6]), [1, 5, 3]);
    assert.deepEqual(call("array_iff", [1, 0, 50], "yes", "no"), ["yes", "no", "yes"]);
    assert.deepEqual(call("array_iif", ["text", null], 1, 0), [null, null]);
    assert.deepEqual(call("array_iff", [true, true, true], [1, 2], [3, 4]), [1, 2, null]);
    assert.equal(call("array_sum", [1, 2, 3, 4]), 10);
    assert.equal(call("array_sum", [1, "2"]), null);
    assert.deepEqual(call("array_reverse", ["this", "is"]), ["is", "this"]);
    assert.deepEqual(call("repeat", "a", 2n), ["a", "a"]);
    assert.throws(() => call("repeat", "a", 2_000_000n), /at most/);
    assert.deepEqual(call("zip", ["A", 1, 1.5], [{}, "B"]), [
      ["A", {}],
      [1, "B"],
      [1.5, null],
    ]);
  });
});

void suite("sets", () => {
  test("keep the order of first appearance", () => {
    assert.deepEqual(call("set_union", [1, 2, 3], [2, 4], [1, 5, "5"]), [1, 2, 3, 4, 5, "5"]);
    assert.deepEqual(call("set_intersect", [1, 2, 3, 2], [3, 2], [2, 1]), [2]);
    assert.deepEqual(call("set_difference", [null, 1, null, 2], [null]), [1, 2]);
    assert.deepEqual(call("set_difference", [3, 2, 1, 2], [2], [7]), [3, 1]);
    assert.equal(call("set_union", [1], null), null);
  });

  test("are made of the rows of a group", () => {
    assert.deepEqual(call("make_set_of", [3, 1, null, [1, 2], 3]), [3, 1, 2]);
    assert.deepEqual(call("make_set_of", [1, 2, 3, 1], 2n), [1, 2]);
    assert.deepEqual(call("make_set_of", []), []);
  });

  test("are compared", () => {
    assert.equal(call("set_has_element", ["this", "example"], "example"), true);
    assert.equal(call("set_has_element", [{ a: 1, b: 2 }], { b: 2, a: 1 }), true);
    assert.equal(call("set_equals", [1, 2, 2], [2, 1]), true);
    assert.equal(call("set_equals", [1, 2], [2, 3]), false);
    assert.equal(call("jaccard_index", [1, 2, 3], [1, 2, 3, 4]), 0.75);
    assert.equal(call("jaccard_index", [], []), null);
  });
});

void suite("bags", () => {
  test("merge from the left", () => {
    const merged = call("bag_merge", { A1: 12, B1: 2 }, null, { A2: 81, A1: 1 }, [1]);
    assert.deepEqual(merged, { A1: 12, B1: 2, A2: 81 });
    assert.equal(call("bag_merge", null, [1]), null);
    assert.deepEqual(call("make_bag_of", [{ a: 1 }, null, { a: 3, c: 4 }]), { a: 1, c: 4 });
    assert.deepEqual(call("make_bag_of", [{ a: 1, b: 2 }, { c: 4 }], 2n), { a: 1, b: 2 });
  });

  test("keep the keys that every object has a meaning for", () => {
    const merged = call("bag_merge", JSON.parse('{"__proto__":1}'), { constructor: 2 });
    assert.equal(call("dynamic_to_json", merged), '{"__proto__":1,"constructor":2}');
    assert.equal(call("bag_has_key", {}, "constructor"), false);
  });

  test("are read and changed by key and by path", () => {
    const bag = { key1: 123, key2: { prop1: 123, prop2: "xyz" } };
    assert.deepEqual(call("bag_keys", bag), ["key1", "key2"]);
    assert.equal(call("bag_keys", [bag]), null);
    assert.equal(call("bag_has_key", bag, "$.key2.prop1"), true);
    assert.equal(call("bag_has_key", bag, "prop1"), false);
    assert.deepEqual(call("bag_set_key", bag, "$.key2.prop1", "abc"), {
      key1: 123,
      key2: { prop1: "abc", prop2: "xyz" },
    });
    assert.deepEqual(call("bag_set_key", { key1: 1 }, "$['key2'].a", 2), {
      key1: 1,
      key2: { a: 2 },
    });
    assert.deepEqual(call("bag_remove_keys", bag, ["key1", "$.key2.prop1", "none"]), {
      key2: { prop2: "xyz" },
    });
  });

  test("are made of keys and values", () => {
    assert.deepEqual(call("bag_zip", ["a", "b", "c"], [1, "2"]), { a: 1, b: "2", c: null });
    assert.deepEqual(call("bag_zip", ["a", 8, "b"], [1, "2", 2.5]), { a: 1, b: 2.5 });
  });

  test("have one JSON text whatever the order of their keys", () => {
    const text = '{"A1":12,"A14":[15,13],"X8":{"a4":6,"c3":1},"Y10":{}}';
    assert.equal(
      call("dynamic_to_json", { Y10: {}, X8: { c3: 1, a4: 6 }, A14: [15, 13], A1: 12 }),
      text,
    );
    assert.equal(
      call("dynamic_to_json", [9223372036854775807n, Number.NaN]),
      '[9223372036854775807,"NaN"]',
    );
  });
});

void suite("the shape of dynamic values", () => {
  test("is told as paths", () => {
    assert.deepEqual(call("treepath", { a: "b", c: 123 }), ["['a']", "['c']"]);
    assert.deepEqual(call("treepath", { list: [100, { x: "y" }] }), [
      "['list']",
      "['list'][0]",
      "['list'][0]['x']",
    ]);
  });

  test("is told as a schema of all rows", () => {
    const rows = [
      { x: 1, y: 3.5 },
      { x: "somevalue", z: [1, 2, 3] },
      { y: { w: "zzz" }, t: ["aa", "bb"], z: ["foo"] },
    ];
    assert.deepEqual(call("buildschema_of", rows), {
      x: ["long", "string"],
      y: ["double", { w: "string" }],
      z: { "`indexer`": ["long", "string"] },
      t: { "`indexer`": "string" },
    });
  });

  test("is told as a type", () => {
    const values = [null, [], {}, 1, 1.5, 2n ** 60n, true, "a"];
    assert.deepEqual(
      values.map((value) => call("gettype", value)),
      ["null", "array", "dictionary", "long", "double", "long", "bool", "string"],
    );
  });

  test("has a size", () => {
    assert.equal(call("estimate_data_size", "1234567890"), 10n);
    assert.equal(call("estimate_data_size", 7n), 8n);
    assert.equal(call("estimate_data_size", 7), 4n);
    assert.equal(call("estimate_data_size", { a: 1 }), 7n);
  });
});
