import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { startOf } from "./identity.ts";
import { recoverOrphans } from "./orphans.ts";

/** Starts a child with a grandchild and then is killed like any process that runs out of luck. */
const PARENT = `
  const { startChild } = await import(process.argv[1]);
  const source = \`
    const { spawn } = require("node:child_process");
    const forever = ["-e", "setInterval(() => {}, 1000)"];
    console.log(spawn(process.execPath, forever, { stdio: "ignore" }).pid, "ready");
    setInterval(() => {}, 1000);\`;
  const child = await startChild({
    name: "engine", command: process.execPath, args: ["-e", source], cwd: process.cwd(), env: {},
    ready: /ready/, readyTimeoutMs: 10000, runDir: process.argv[2] });
  console.log(child.pid, child.tail()[0]);
  setInterval(() => {}, 1000);`;

async function leaveOrphans(runDir: string): Promise<{ child: number; grandchild: number }> {
  const module = new URL("child.ts", import.meta.url).href;
  const args = ["--input-type=module", "-e", PARENT, module, runDir];
  const parent = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line]: unknown[] = await once(parent.stdout.setEncoding("utf8"), "data");
  parent.kill("SIGKILL");
  await once(parent, "exit");
  const [child = 0, grandchild = 0] = String(line).split(" ").map(Number);
  return { child, grandchild };
}

suite("recovering orphans", () => {
  test("ends the children that a killed parent left, with their children", async () => {
    const runDir = await mkdtemp(join(tmpdir(), "atoll-run-"));
    const { child, grandchild } = await leaveOrphans(runDir);
    const startedAt = startOf(child);
    assert.notEqual(startedAt, undefined);
    assert.notEqual(startOf(grandchild), undefined);
    const orphan = { name: "engine", pid: child, startedAt, command: process.execPath };
    assert.deepEqual(await recoverOrphans(runDir), [orphan]);
    assert.deepEqual([startOf(child), startOf(grandchild)], [undefined, undefined]);
    assert.deepEqual(await readdir(runDir), []);
    assert.deepEqual(await recoverOrphans(runDir), []);
  });

  test("leaves a process alone that only has the same id, and drops damaged records", async () => {
    const runDir = join(await mkdtemp(join(tmpdir(), "atoll-run-")), "run");
    assert.deepEqual(await recoverOrphans(runDir), []);
    const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
      detached: true,
      stdio: "ignore",
    });
    const { pid = 0 } = other;
    await mkdir(runDir);
    const record = { name: "engine", pid, startedAt: "boot/1", command: process.execPath };
    const everyone = { ...record, pid: -1 };
    await writeFile(join(runDir, "engine.json"), JSON.stringify(record));
    await writeFile(join(runDir, "everyone.json"), JSON.stringify(everyone));
    await writeFile(join(runDir, "half.json"), '{"pid":');
    assert.deepEqual(await recoverOrphans(runDir), []);
    assert.notEqual(startOf(pid), undefined);
    assert.deepEqual(await readdir(runDir), []);
    other.kill("SIGKILL");
    await once(other, "exit");
  });
});
