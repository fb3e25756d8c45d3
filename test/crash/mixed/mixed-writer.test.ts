import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { settle, type Kept } from "./mixed-writer.ts";
import { NOTHING, type FoundState } from "./state.ts";

const before = { ...NOTHING, content: Buffer.from("before"), metadata: "m" };
const after = { ...before, content: Buffer.from("after"), metadata: undefined };
const shown: FoundState = {
  content: Buffer.from("before"),
  metadata: "m",
  tag: undefined,
  isLeased: false,
  waiting: [],
};
const put = {
  name: "Put Blob",
  method: "PUT",
  query: "",
  headers: {},
  body: Buffer.alloc(0),
  status: 201,
  after,
} as const;

function kept(pending: Kept["pending"]): Kept {
  return { blob: "a", acknowledged: before, pending };
}

suite("a blob that was being changed when the server was killed", () => {
  test("is as it was, or as the change makes it", () => {
    const undone = kept(put);
    assert.equal(settle(undone, shown), undefined);
    assert.deepEqual([undone.acknowledged, undone.pending], [before, undefined]);
    const done = kept(put);
    const changed = { ...shown, content: Buffer.from("after"), metadata: undefined };
    assert.equal(settle(done, changed), undefined);
    assert.deepEqual([done.acknowledged, done.pending], [after, undefined]);
  });

  test("is half written where only part of the change is there", () => {
    assert.deepEqual(settle(kept(put), { ...shown, content: Buffer.from("after") }), {
      kind: "half",
      text:
        "a is not what was acknowledged (content), nor what Put Blob would make of it " +
        "(metadata).",
    });
  });

  test("has lost what was acknowledged where nothing was being changed", () => {
    const nothing = { ...shown, content: undefined, metadata: undefined };
    const lost = { ...nothing, isLeased: true, waiting: ["aaaa 3"] };
    assert.deepEqual(settle(kept(undefined), lost), {
      kind: "lost",
      text:
        "a is not what was acknowledged (content, metadata, lease, waiting blocks), nor what " +
        "nothing else would make of it ().",
    });
  });
});
