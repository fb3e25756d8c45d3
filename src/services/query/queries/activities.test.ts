import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createActivities, REMEMBERED_MAX } from "./activities.ts";
import { maskSecrets } from "./mask-secrets.ts";

const caller = { objectId: "p", kind: "User", tenantId: "t", scheme: "bearer" } as const;

function start(id: string) {
  return {
    id,
    kind: "query",
    clientRequestId: id,
    commandType: "Query",
    text: "print h'secret'",
    database: "db",
    application: "",
    user: "",
    caller,
  } as const;
}

suite("what runs and ran", () => {
  test("is remembered up to a number", () => {
    const activities = createActivities(() => new Date());
    for (let index = 0; index <= REMEMBERED_MAX; index++) activities.begin(start(`${index}`)).end();
    const list = activities.list("query");
    assert.deepEqual([list.length, list[0]?.id, activities.running()], [REMEMBERED_MAX, "1", []]);
  });

  test("ends once, as completed, failed or cancelled", () => {
    const activities = createActivities(() => new Date());
    const [done, failed, cancelled] = ["a", "b", "c"].map((id) => activities.begin(start(id)));
    done?.end();
    done?.end("too late");
    failed?.end("it broke");
    const reason = new Error("enough");
    activities.cancel(({ id }) => id === "c", reason);
    assert.equal(cancelled?.signal.reason, reason);
    cancelled?.end("enough");
    assert.deepEqual(
      activities.list("query").map(({ state, failure }) => [state, failure]),
      [
        ["Completed", ""],
        ["Failed", "it broke"],
        ["Cancelled", "enough"],
      ],
    );
  });
});

suite("what is shown of a text", () => {
  test("has no hidden literals and no signatures", () => {
    const shown: readonly (readonly [string, string])[] = [
      [`print h'a\\'b', h"c", h@"d\\", H'e'`, `print h"*****", h"*****", h"*****", h"*****"`],
      ["print path'x'", "print path'x'"],
      [
        ".ingest into table T ('http://x/b?sp=r&sig=abc%3D&se=1')",
        ".ingest into table T ('http://x/b?sp=r&sig=*****&se=1')",
      ],
    ];
    for (const [text, masked] of shown) assert.equal(maskSecrets(text), masked);
    assert.equal(maskSecrets("x".repeat(20_000)).length, 16_385);
  });
});
