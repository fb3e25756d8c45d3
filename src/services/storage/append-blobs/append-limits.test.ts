import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, test } from "node:test";
import { createAppendBlob, send, startStorage } from "../storage.fixture.ts";

const GIB = 2 ** 30;

/** An append blob that has grown as far as `columns` say, as if by as many appends. */
async function withGrownBlob(columns: { block_count: number; length: number }) {
  const dir = await mkdtemp(join(tmpdir(), "atoll-storage-"));
  const location = { kind: "sqlite", file: join(dir, "storage.db") } as const;
  const first = await startStorage({ dir, location });
  await createAppendBlob(first, "logs/a");
  await first.stop();
  const database = new DatabaseSync(location.file);
  const grow = database.prepare("update blob set block_count = ?, length = ?");
  grow.run(columns.block_count, columns.length);
  database.close();
  const storage = await startStorage({ dir, location });
  const append = async (version: string) => {
    const sent = { body: "x", version };
    const { status, code, headers } = await send(storage, "logs/a?comp=appendblock", sent);
    return [status, code === "" ? headers["x-svc-blob-committed-block-count"] : code];
  };
  const stop = async () => {
    await storage.stop();
    await rm(dir, { recursive: true });
  };
  return { append, stop };
}

suite("an append blob's limits", () => {
  test("are 50,000 blocks", async () => {
    const { append, stop } = await withGrownBlob({ block_count: 49_999, length: 49_999 });
    assert.deepEqual(await append("2022-11-02"), [201, "50000"]);
    assert.deepEqual(await append("2022-11-02"), [409, "BlockCountExceedsLimit"]);
    await stop();
  });

  test("are 195 GiB at older versions and 4.75 TiB from 2022-11-02 on", async () => {
    const { append, stop } = await withGrownBlob({ block_count: 2000, length: 196 * GIB });
    assert.deepEqual(await append("2021-12-02"), [413, "RequestBodyTooLarge"]);
    assert.deepEqual(await append("2022-11-02"), [201, "2001"]);
    await stop();
  });
});
