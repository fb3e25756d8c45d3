import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test, type TestContext } from "node:test";
import { DataFolderError, DataFolderLockedError, openDataFolder } from "./data-folder.ts";
import { NewerStoreError } from "./migrations.ts";

/** A path that does not exist yet, in a folder that goes when the test ends. */
async function freshPath(t: TestContext): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "atoll-data-"));
  t.after(() => rm(parent, { recursive: true, force: true }));
  return join(parent, "deep", "data");
}

async function refusal(dir: string): Promise<unknown> {
  return openDataFolder(dir).catch((error: unknown) => error);
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

/** Another process that holds the folder until it is killed. */
async function holder(dir: string) {
  const module = import.meta.resolve("./data-folder.ts");
  const source = `import { openDataFolder } from ${JSON.stringify(module)};
    await openDataFolder(process.argv[1]); console.log("open"); setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source, dir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

suite("the data folder", () => {
  test("is made for its owner only, with a folder per service", async (t) => {
    const dir = await freshPath(t);
    const folder = await openDataFolder(dir);
    t.after(folder.close);
    assert.equal(await folder.serviceDir("query"), join(dir, "query"));
    assert.equal(await folder.serviceDir("query"), join(dir, "query"));
    assert.deepEqual([await modeOf(dir), await modeOf(join(dir, "query"))], [0o700, 0o700]);
    assert.equal(await readFile(join(dir, "version"), "utf8"), "1\n");
  });

  test("takes no service name that leads elsewhere", async (t) => {
    const folder = await openDataFolder(await freshPath(t));
    t.after(folder.close);
    for (const name of ["..", "a/b", "", "A", "a".repeat(64)]) {
      await assert.rejects(folder.serviceDir(name), TypeError);
    }
  });

  test("is refused while this process has it, and free again after", async (t) => {
    const dir = await freshPath(t);
    const folder = await openDataFolder(dir);
    const locked = await refusal(dir);
    assert.ok(locked instanceof DataFolderLockedError);
    await folder.close();
    await folder.close();
    const again = await openDataFolder(dir);
    await again.close();
  });

  test("names the process that has it, and is free once that is killed", async (t) => {
    const dir = await freshPath(t);
    const child = await holder(dir);
    const locked = await refusal(dir);
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    assert.ok(locked instanceof DataFolderLockedError);
    assert.equal(
      locked.message,
      `${dir} is in use by process ${child.pid}; ` +
        "stop it first or use --data to choose another folder.",
    );
    const folder = await openDataFolder(dir);
    await folder.close();
  });

  test("of a newer Atoll, or of something else, is left alone", async (t) => {
    const dir = await freshPath(t);
    await (await openDataFolder(dir)).close();
    await writeFile(join(dir, "version"), "2\n");
    const newer = await refusal(dir);
    assert.ok(newer instanceof NewerStoreError);
    assert.match(newer.message, /its version is 2, this Atoll knows 1\./);
    await writeFile(join(dir, "version"), "reef\n");
    const file = join(dir, "version");
    const message = `${file} must hold the number 1, but holds "reef". Restore it, or use --data.`;
    await assert.rejects(openDataFolder(dir), { message });
    await writeFile(file, "1\n");
    await (await openDataFolder(dir)).close();
  });

  test("is refused, and nothing is made, where there can be none", async (t) => {
    const dir = await freshPath(t);
    await mkdir(dir, { recursive: true });
    const file = join(dir, "file");
    await writeFile(file, "mine");
    for (const path of [file, join(file, "below"), "/proc/atoll/data"]) {
      await assert.rejects(openDataFolder(path), DataFolderError, path);
    }
    assert.equal(await readFile(file, "utf8"), "mine");
  });
});
