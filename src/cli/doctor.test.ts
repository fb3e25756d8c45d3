import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempDisposable, readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { openDataFolder } from "#platform/store/data-folder.ts";
import { dataFolderWith, exampleEndpoints, runCli } from "../../test/support/cli.ts";
import type { Finding } from "./doctor/finding.ts";

/** Ports that are free for sure, since the system picks them. */
const ANY_PORT = {
  ATOLL_PORT: "0",
  ATOLL_QUERY_PORT: "0",
  ATOLL_INGEST_PORT: "0",
  ATOLL_BLOB_PORT: "0",
};

async function doctor(data: string, variables: Record<string, string> = ANY_PORT) {
  const { code, out, err } = await runCli(["doctor", "-o", "json", "--data", data], { variables });
  const findings = JSON.parse(out) as Finding[];
  return { code, err, findings, find: (name: string) => findings.find((one) => one.name === name) };
}

suite("atoll doctor", () => {
  test("finds a folder that is not there yet in order, and does not make it", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-doctor-"));
    const { code, err, findings } = await doctor(join(folder.path, "a", "b"));
    assert.deepEqual([code, err], [0, ""]);
    assert.deepEqual(
      findings.filter(({ state }) => state === "missing"),
      [],
    );
    assert.deepEqual(await readdir(folder.path), []);
  });

  test("shows what is absent with a way to get it", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-doctor-"));
    const { code, find } = await doctor(folder.path, { ...ANY_PORT, PATH: folder.path });
    assert.equal(code, 0);
    assert.deepEqual(find("Chromium"), {
      name: "Chromium",
      neededFor: "tests of pages",
      state: "optional",
      detail: "not in PATH",
      remedy: "apt-get install chromium, brew install --cask google-chrome, or the like.",
    });
  });

  test("names the process that holds the data folder, unless it is Atoll itself", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-doctor-"));
    const held = await openDataFolder(folder.path);
    const foreign = await doctor(folder.path);
    await held.close();
    assert.equal(foreign.code, 1);
    assert.match(foreign.find("data folder's lock")?.remedy ?? "", /^Stop process \d+/);
    assert.match(foreign.err, /Atoll cannot start: data folder's lock\./);

    await using own = await dataFolderWith(exampleEndpoints());
    const heldByAtoll = await openDataFolder(own.path);
    const running = await doctor(own.path);
    await heldByAtoll.close();
    assert.equal(running.find("data folder's lock")?.state, "ok");
    assert.equal((await doctor(own.path)).find("data folder's lock")?.detail, "free");
  });

  test("names a port that is taken, and the flag that chooses another", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-doctor-"));
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const { code, find } = await doctor(folder.path, { ...ANY_PORT, ATOLL_BLOB_PORT: port });
    server.close();
    await once(server, "close");
    assert.equal(code, 1);
    assert.match(find(`port ${port}`)?.detail ?? "", /not free on 127\.0\.0\.1 \(EADDRINUSE\)/);
    assert.match(find(`port ${port}`)?.remedy ?? "", /--blob-port/);
  });

  test("says which setting is wrong, and that a file is no folder", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-doctor-"));
    const wrong = await doctor(folder.path, { ATOLL_PORT: "many" });
    assert.match(wrong.find("settings")?.detail ?? "", /ATOLL_PORT is "many"/);
    const file = join(folder.path, "file");
    await writeFile(file, "");
    const { code, find } = await doctor(file);
    assert.equal(code, 1);
    assert.match(find("data folder")?.remedy ?? "", /is a file/);
  });
});
