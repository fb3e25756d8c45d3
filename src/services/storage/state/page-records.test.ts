import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { openExtentFiles } from "#engines/blocks/extent-files.ts";
import { openStore } from "#platform/store/open-store.ts";
import { migrations, type StorageTables } from "../store.ts";
import { openPages } from "./page-records.ts";

suite("the pages of a blob", () => {
  test("are not zeros when the blob has gone", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-storage-"));
    const location = { kind: "memory" } as const;
    const store = await openStore<StorageTables>({ location, migrations });
    const blocks = await openExtentFiles({ dir: folder.path });
    const gone = { id: 5, key: undefined };
    const opened = openPages(store.db, blocks, gone, { begin: 0, end: 512 });
    await assert.rejects(opened, { name: "BlobGoneError" });
    await blocks.close();
    await store.close();
  });
});
