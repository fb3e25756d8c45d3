import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { withConnection } from "../catalog/catalog.ts";
import { openFolder, ROWS_EACH } from "./endless-ingestion.fixture.ts";

const WRITER = fileURLToPath(import.meta.resolve("./endless-ingestion.fixture.ts"));
const KILLS = 3;
const ACKNOWLEDGED_BEFORE_KILL = 60;
const COUNTS = [
  { name: "request", type: "long" },
  { name: "rows", type: "long" },
] as const;

/** Starts a writer and kills it in the middle of its work; answers what it had acknowledged. */
async function ingestUntilKilled(dir: string, first: number): Promise<number[]> {
  const writer = spawn(process.execPath, [WRITER, dir, `${first}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(writer, "exit");
  const acknowledged: number[] = [];
  for await (const line of createInterface(writer.stdout)) {
    acknowledged.push(Number(line));
    if (acknowledged.length === ACKNOWLEDGED_BEFORE_KILL) writer.kill("SIGKILL");
  }
  await ended;
  return acknowledged;
}

/** How many rows of each request are there. */
async function rowsOfRequests(dir: string): Promise<ReadonlyMap<number, number>> {
  const { sql, catalog } = await openFolder(dir);
  try {
    const rows = await withConnection(catalog.sql, (connection) =>
      Array.fromAsync(connection.rows("select c0, count(*) from main.t2 group by all", COUNTS)),
    );
    return new Map(rows.flat().map(([request, count]) => [Number(request), Number(count)]));
  } finally {
    await sql.stop();
  }
}

suite("ingestion", () => {
  test("has all that it acknowledged after kill -9, and no request in parts", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-kill-"));
    const acknowledged: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      acknowledged.push(...(await ingestUntilKilled(folder.path, kill * 1_000_000)));
      const found = await rowsOfRequests(folder.path);
      assert.deepEqual(
        acknowledged.filter((request) => found.get(request) !== ROWS_EACH),
        [],
      );
      assert.deepEqual(new Set(found.values()), new Set([ROWS_EACH]));
    }
    assert.ok(acknowledged.length >= KILLS * ACKNOWLEDGED_BEFORE_KILL);
  });
});
