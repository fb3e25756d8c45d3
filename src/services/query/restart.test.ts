import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { startQuery } from "./query.fixture.ts";

suite("after a restart", () => {
  test("tables, functions, policies, rows and operations are there", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-query-restart-"));
    const file = join(folder.path, "query.sqlite");
    const kept = { data: { dir: folder.path }, location: { kind: "sqlite", file } } as const;
    let id = "";
    {
      await using query = await startQuery(kept);
      await query.command(".create table T (a:long)");
      await query.command(".create function Double() { T | extend a = a * 2 }");
      await query.command(".alter table T policy caching hot = 3d");
      await query.command(".ingest inline into table T <| 21");
      const [[started] = []] = await query.command(".set async U <| T");
      id = String(started);
      const state = `.show operations ${id} | project State`;
      while ((await query.command(state))[0]?.[0] === "InProgress");
    }
    await using query = await startQuery(kept);
    assert.deepEqual(await query.query("Double"), [[42]]);
    assert.deepEqual(await query.query("U"), [[21]]);
    assert.deepEqual(await query.command(`.show operations ${id} | project State, Operation`), [
      ["Completed", "SetTable"],
    ]);
    const [policy] = await query.command(".show table T policy caching");
    assert.deepEqual(JSON.parse(String(policy?.[2])), {
      DataHotSpan: "3.00:00:00",
      IndexHotSpan: "3.00:00:00",
    });
  });
});
