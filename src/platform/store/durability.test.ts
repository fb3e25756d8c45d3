import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { migrations, type EntryTables } from "../../../test/support/endless-writer.ts";
import { openStore } from "./open-store.ts";

const WRITER = fileURLToPath(import.meta.resolve("../../../test/support/endless-writer.ts"));
const KILLS = 5;
const ACKNOWLEDGED_BEFORE_KILL = 500;

/** Starts a writer and kills it in the middle of its work; answers what it had acknowledged. */
async function writeUntilKilled(file: string, first: number): Promise<number[]> {
  const writer = spawn(process.execPath, [WRITER, file, `${first}`], {
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

async function idsIn(file: string): Promise<Set<number>> {
  const store = await openStore<EntryTables>({ location: { kind: "sqlite", file }, migrations });
  try {
    const rows = await store.db.selectFrom("entry").select("id").execute();
    return new Set(rows.map(({ id }) => id));
  } finally {
    await store.close();
  }
}

suite("a store in a file", () => {
  test("has everything it acknowledged after kill -9, time and again", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "atoll-kill-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, "entries.sqlite");
    const acknowledged = new Set<number>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const ids = await writeUntilKilled(file, kill * 1_000_000);
      assert.ok(ids.length >= ACKNOWLEDGED_BEFORE_KILL);
      for (const id of ids) acknowledged.add(id);
      const found = await idsIn(file);
      const lost = [...acknowledged].filter((id) => !found.has(id));
      assert.deepEqual(lost, []);
    }
  });
});
