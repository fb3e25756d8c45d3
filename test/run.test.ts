import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";

const RUN = join(import.meta.dirname, "run.ts");
const IMPORT = 'import { test } from "node:test";\n';
const PASSES = 'test("passes", () => {});\n';

/** Runs `npm test` on one file of its own; resolves to the exit code and the last line. */
async function runOn(content: string | undefined) {
  await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-run-"));
  if (content !== undefined) await writeFile(join(folder.path, "a.test.ts"), IMPORT + content);
  const pattern = join(folder.path, "*.test.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [RUN, pattern], {
    encoding: "utf8",
  });
  return { status, last: stdout.trimEnd().split("\n").at(-1), stderr };
}

suite("npm test", () => {
  test("ends in the counts, and passes only when every test does", async () => {
    assert.deepEqual(await runOn(PASSES), { status: 0, last: "1 passed, 0 failed", stderr: "" });
    const { status, last } = await runOn(`${PASSES}test("fails", () => { throw new Error(); });`);
    assert.deepEqual([status, last], [1, "1 passed, 1 failed"]);
  });

  test("fails when nothing ran, or a file cannot be loaded", async () => {
    const nothing = await runOn(undefined);
    assert.deepEqual([nothing.status, nothing.last], [1, "0 passed, 0 failed"]);
    assert.match(nothing.stderr, /No test ran/);
    const broken = await runOn('import "./nowhere.ts";');
    assert.deepEqual([broken.status, broken.last], [1, "0 passed, 1 failed"]);
  });

  test("fails when a test was left out", async () => {
    for (const option of ["skip", "todo"]) {
      const { status, last, stderr } = await runOn(`${PASSES}test.${option}("later");`);
      assert.deepEqual([status, last], [1, "1 passed, 0 failed"]);
      assert.match(stderr, /Left out: later/);
    }
  });

  test("fails when the process ends before the tests do", async () => {
    const { status, stderr } = await runOn(`${PASSES}test("ends", () => process.exit(0));`);
    assert.equal(status, 1);
    assert.match(stderr, /ended before they were complete/);
  });
});
