import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { unpackError } from "./errors.ts";

suite("an error of DuckDB", () => {
  test("that comes from a full disk has the code of one", () => {
    const message =
      'IO Error: Could not write file "/data/query.duckdb.wal": No space left on device';
    const error = unpackError(new Error(message));
    assert.ok(error instanceof Error && "code" in error);
    assert.deepEqual([error.name, error.code, error.message], ["SqlError", "ENOSPC", message]);
  });

  test("that only mentions another is not taken for it", () => {
    const error = unpackError(new Error("Binder Error: no column Out of Memory Error: x"));
    assert.ok(error instanceof Error);
    assert.equal(error.name, "SqlError");
  });
});
