import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { formatTable } from "./table.ts";

suite("a table", () => {
  test("aligns its columns and leaves no blanks at the end of a line", () => {
    const rows = [
      ["storage", "ok", ""],
      ["id", "starting", "a moment"],
    ];
    assert.equal(
      formatTable(rows, ["service", "state", "detail"]),
      "SERVICE  STATE     DETAIL\nstorage  ok\nid       starting  a moment",
    );
  });

  test("takes rows of different lengths, and none", () => {
    assert.equal(formatTable([["a"], ["bb", "c"]]), "a\nbb  c");
    assert.equal(formatTable([]), "");
  });
});
