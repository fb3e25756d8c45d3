import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { SET, startTables, TABLE } from "../tables.fixture.ts";

type Json = Record<string, unknown>;

suite("changes of a table", () => {
  test("are followed from one link to the next, deletions included", async () => {
    await using tables = await startTables();
    const ids = [await tables.interaction(), await tables.interaction()];
    const headers = { prefer: "odata.track-changes,odata.maxpagesize=1" };
    const first = await tables.ask("GET", `/${SET}?$select=svc_topic`, { headers });
    assert.equal(first.json["@odata.deltaLink"], undefined);
    const during = await tables.interaction();
    let link = String(first.json["@odata.nextLink"]);
    let delta = "";
    while (delta === "") {
      const { json } = await tables.ask("GET", link, { headers });
      link = String(json["@odata.nextLink"]);
      if ("@odata.deltaLink" in json) delta = String(json["@odata.deltaLink"]);
    }
    await tables.ask("PATCH", `/${SET}(${ids[0]})`, { body: { svc_topic: 2 } });
    await tables.ask("DELETE", `/${SET}(${ids[1]})`);
    const changed = await tables.ask("GET", delta);
    const value = changed.json["value"] as Json[];
    assert.deepEqual(
      value.map((row) => [row[`${TABLE}id`] ?? row["id"], row["svc_topic"] ?? row["reason"]]),
      [
        [during, 1],
        [ids[0], 2],
        [ids[1], "deleted"],
      ],
    );
    const nothing = await tables.ask("GET", String(changed.json["@odata.deltaLink"]));
    assert.deepEqual(nothing.json["value"], []);
  });

  test("are not followed where rows are filtered, and not with a token of others", async () => {
    await using tables = await startTables();
    const headers = { prefer: "odata.track-changes" };
    const filter = encodeURIComponent("svc_topic eq 1");
    const filtered = await tables.ask("GET", `/${SET}?$filter=${filter}`, { headers });
    assert.match(filtered.message, /\$filter does not go with tracking/);
    assert.equal((await tables.ask("GET", `/${SET}?$deltatoken=x`)).status, 400);
    assert.equal((await tables.ask("GET", "/syncerrors", { headers })).status, 400);
  });
});
