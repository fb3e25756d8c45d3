import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { ACCOUNT, createAppendBlob, ORIGIN, send, startStorage } from "../storage.fixture.ts";
import { clearPages, createPageBlob, pagesOf, rangesIn, writePages } from "./page-blobs.fixture.ts";

suite("incremental copies", () => {
  test("keep a snapshot of each state, which is read and compared", async () => {
    const storage = await startStorage();
    await createPageBlob(storage, "disks/a", 6);
    const snapshot = async (path: string) => {
      const { headers } = await send(storage, `${path}?comp=snapshot`);
      return String(headers["x-svc-snapshot"]);
    };
    const copy = async (path: string, source: string) => {
      const headers = { "x-svc-copy-source": `${ORIGIN}/${ACCOUNT}/${source}` };
      const { status, code } = await send(storage, `${path}?comp=incrementalcopy`, { headers });
      return `${status} ${code}`;
    };
    const madeOf = async () => {
      const { headers } = await send(storage, "disks/backup", { method: "HEAD" });
      assert.equal(headers["x-svc-incremental-copy"], "true");
      return String(headers["x-svc-copy-destination-snapshot"]);
    };

    await writePages(storage, "disks/a", 0, { text: "1", count: 4 });
    const first = await snapshot("disks/a");
    assert.equal(await copy("disks/backup", `disks/a?snapshot=${first}`), "202 ");
    const one = await madeOf();
    await writePages(storage, "disks/a", 1, { text: "2" });
    await clearPages(storage, "disks/a", 3);
    const second = await snapshot("disks/a");
    assert.equal(await copy("disks/backup", `disks/a?snapshot=${second}`), "202 ");
    const two = await madeOf();
    await send(storage, "disks/a", {
      method: "DELETE",
      headers: { "x-svc-delete-snapshots": "include" },
    });
    assert.deepEqual(
      [
        await pagesOf(storage, `disks/backup?snapshot=${one}`),
        await pagesOf(storage, `disks/backup?snapshot=${two}`),
      ],
      ["1111..", "121..."],
    );
    const query = `comp=pagelist&snapshot=${two}&prevsnapshot=${one}`;
    const diff = await send(storage, `disks/backup?${query}`, { method: "GET" });
    assert.equal(rangesIn(diff), "1-1 !3-3");
    const list = "disks?restype=container&comp=list&include=copy,snapshots";
    const { text } = await send(storage, list, { method: "GET" });
    assert.equal(text.split("<IncrementalCopy>true</IncrementalCopy>").length, 4);
    assert.ok(text.includes(`<CopyDestinationSnapshot>${two}</CopyDestinationSnapshot>`));
    await storage.stop();
  });

  test("take snapshots of one page blob, in their order, and nothing else", async () => {
    const storage = await startStorage();
    await createPageBlob(storage, "disks/a", 2);
    await createPageBlob(storage, "disks/b", 2);
    await createAppendBlob(storage, "disks/log");
    const snapshot = async (path: string) => {
      const { headers } = await send(storage, `${path}?comp=snapshot`);
      return `${path}?snapshot=${String(headers["x-svc-snapshot"])}`;
    };
    const copy = async (path: string, source: string, origin = ORIGIN) => {
      const headers = { "x-svc-copy-source": `${origin}/${ACCOUNT}/${source}` };
      const { status, code } = await send(storage, `${path}?comp=incrementalcopy`, { headers });
      return `${status} ${code}`;
    };
    const [first, other, log] = [
      await snapshot("disks/a"),
      await snapshot("disks/b"),
      await snapshot("disks/log"),
    ];
    const second = await snapshot("disks/a");
    assert.deepEqual(
      [
        await copy("disks/backup", "disks/a"),
        await copy("disks/backup", log),
        await copy("disks/b", first),
        await copy("disks/backup", "disks/a?snapshot=2020-01-01T00:00:00.0000000Z"),
        await copy("disks/backup", first, "http://192.0.2.1"),
        await copy("disks/backup", second),
        await copy("disks/backup", first),
        await copy("disks/backup", other),
      ],
      [
        "409 IncrementalCopySourceMustBeSnapshot",
        "409 InvalidSourceBlobType",
        "409 IncrementalCopyBlobMismatch",
        "404 CannotVerifyCopySource",
        "501 APINotImplemented",
        "202 ",
        "409 IncrementalCopyOfEarlierVersionSnapshotNotAllowed",
        "409 IncrementalCopyBlobMismatch",
      ],
    );
    const conditional = {
      "x-svc-copy-source": `${ORIGIN}/${ACCOUNT}/${await snapshot("disks/a")}`,
      "x-svc-source-if-match": '"0x1"',
    };
    const unmet = await send(storage, "disks/fresh?comp=incrementalcopy", { headers: conditional });
    assert.deepEqual([unmet.status, unmet.code], [412, "SourceConditionNotMet"]);
    assert.equal((await send(storage, "disks/fresh", { method: "HEAD" })).status, 404);
    const form = { "x-svc-blob-type": "PageBlob", "x-svc-blob-content-length": "512" };
    const refused = [
      await send(storage, "disks/backup", { method: "GET" }),
      await send(storage, "disks/backup?comp=pagelist", { method: "GET" }),
      await writePages(storage, "disks/backup", 0, { text: "x" }),
      await send(storage, "disks/backup?comp=snapshot"),
      await send(storage, "disks/backup?comp=metadata"),
      await send(storage, "disks/backup", { headers: form }),
    ];
    assert.deepEqual(
      refused.map(({ status, code }) => `${status} ${code}`),
      refused.map(() => "409 OperationNotAllowedOnIncrementalCopyBlob"),
    );
    const headers = { "x-svc-delete-snapshots": "include" };
    const gone = await send(storage, "disks/backup", { method: "DELETE", headers });
    assert.equal(gone.status, 202);
    await storage.stop();
  });
});
