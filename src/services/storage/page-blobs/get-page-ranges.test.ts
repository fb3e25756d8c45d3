import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { ACCOUNT, ORIGIN, send, startStorage, type TestStorage } from "../storage.fixture.ts";
import {
  clearPages,
  createPageBlob,
  PAGE,
  pagesOf,
  rangesIn,
  writePages,
} from "./page-blobs.fixture.ts";

suite("the list of the pages of a blob", () => {
  let storage: TestStorage;

  before(async () => {
    storage = await startStorage();
  });
  after(() => storage.stop());

  async function list(path: string, query = "", headers: Record<string, string> = {}) {
    return send(storage, `${path}?comp=pagelist${query}`, { method: "GET", headers });
  }

  async function snapshot(path: string): Promise<string> {
    const { headers } = await send(storage, `${path}?comp=snapshot`);
    return String(headers["x-svc-snapshot"]);
  }

  test("has what was written and not cleared, neighbours as one", async () => {
    await createPageBlob(storage, "disks/a", 20);
    assert.equal(rangesIn(await list("disks/a")), "");
    for (const page of [3, 1, 2, 9]) await writePages(storage, "disks/a", page, { text: "x" });
    await writePages(storage, "disks/a", 12, { text: "y", count: 5 });
    await clearPages(storage, "disks/a", 13, 2);
    const whole = await list("disks/a");
    assert.equal(rangesIn(whole), "1-3 9-9 12-12 15-16");
    assert.equal(whole.headers["x-svc-blob-content-length"], String(20 * PAGE));
    const range = { "x-svc-range": `bytes=${2 * PAGE}-${12 * PAGE}` };
    assert.equal(rangesIn(await list("disks/a", "", range)), "2-3 9-9 12-12");
  });

  test("comes in pages of its own", async () => {
    const seen: string[] = [];
    let marker = "";
    do {
      const page = await list("disks/a", `&maxresults=2&marker=${marker}`);
      seen.push(rangesIn(page));
      marker = /<NextMarker>(.*?)<\/NextMarker>/.exec(page.text)?.[1] ?? "";
    } while (marker !== "");
    assert.deepEqual(seen, ["1-3 9-9", "12-12 15-16"]);
    const refused = [
      await list("disks/a", "&maxresults=0"),
      await list("disks/a", "&maxresults=x"),
      await list("disks/a", "&marker=x"),
      await list("disks/a", "", { range: `bytes=${20 * PAGE}-` }),
    ];
    assert.deepEqual(
      refused.map(({ status, code }) => `${status} ${code}`),
      [
        "400 OutOfRangeQueryParameterValue",
        "400 InvalidQueryParameterValue",
        "400 InvalidQueryParameterValue",
        "416 InvalidRange",
      ],
    );
  });

  test("tells what differs from a snapshot", async () => {
    await createPageBlob(storage, "disks/b", 12);
    await writePages(storage, "disks/b", 0, { text: "0", count: 6 });
    const first = await snapshot("disks/b");
    await writePages(storage, "disks/b", 1, { text: "1", count: 2 });
    await clearPages(storage, "disks/b", 4);
    await writePages(storage, "disks/b", 8, { text: "8" });
    const second = await snapshot("disks/b");
    await clearPages(storage, "disks/b", 0, 12);
    await writePages(storage, "disks/b", 11, { text: "b" });

    const since = (snapshotName: string, query = "") =>
      list("disks/b", `&prevsnapshot=${encodeURIComponent(snapshotName)}${query}`);
    assert.equal(rangesIn(await since(first)), "!0-5 11-11");
    assert.equal(rangesIn(await since(first, `&snapshot=${second}`)), "1-2 !4-4 8-8");
    assert.equal(rangesIn(await since(second)), "!0-3 !5-5 !8-8 11-11");
    assert.equal(rangesIn(await since(second, "&maxresults=2")), "!0-3 !5-5");
    const url = `${ORIGIN}/${ACCOUNT}/disks/b?snapshot=${first}`;
    const headers = { "x-svc-previous-snapshot-url": url };
    assert.equal(rangesIn(await list("disks/b", "", headers)), "!0-5 11-11");
    assert.equal(await pagesOf(storage, `disks/b?snapshot=${first}`), "000000......");
    assert.equal(await pagesOf(storage, `disks/b?snapshot=${second}`), "0110.0..8...");

    const refused = [
      await since(second, `&snapshot=${first}`),
      await since("2020-01-01T00:00:00.0000000Z"),
      await since("yesterday"),
      await list("disks/b", `&prevsnapshot=${first}`, headers),
      await list("disks/b", "", {
        "x-svc-previous-snapshot-url": url.replace("disks/b", "disks/a"),
      }),
    ];
    assert.deepEqual(
      refused.map(({ status, code }) => `${status} ${code}`),
      [
        "400 PreviousSnapshotCannotBeNewer",
        "409 PreviousSnapshotNotFound",
        "400 InvalidQueryParameterValue",
        "400 InvalidHeaderValue",
        "400 InvalidHeaderValue",
      ],
    );
  });

  test("compares only with what the blob was itself", async () => {
    await createPageBlob(storage, "disks/c", 2);
    const old = await snapshot("disks/c");
    await createPageBlob(storage, "disks/c", 2);
    const anew = await list("disks/c", `&prevsnapshot=${old}`);
    await send(storage, "disks/d", { headers: { "x-svc-blob-type": "BlockBlob" }, body: "x" });
    const block = await snapshot("disks/d");
    await createPageBlob(storage, "disks/d", 2);
    const other = await list("disks/d", `&prevsnapshot=${block}`);
    assert.deepEqual(
      [anew, other].map(({ status, code }) => `${status} ${code}`),
      ["409 BlobOverwritten", "409 PreviousSnapshotOperationNotSupported"],
    );
  });
});
