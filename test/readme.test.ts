import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { suite, test } from "node:test";
import { promisify } from "node:util";
import { startAtollProcess } from "./support/atoll-process.ts";

const ROOT = new URL("..", import.meta.url).pathname;
const TIMEOUT_MS = 60_000;
const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

/** What differs from run to run: ids, entity tags, times. */
const VARIABLE =
  /^(x-svc-request-id|etag|last-modified|date|keep-alive|x-svc-client-request-id): .*$/gim;

async function blocks(): Promise<readonly { language: string; text: string }[]> {
  const page = await readFile(`${ROOT}README.md`, "utf8");
  return [...page.matchAll(FENCE)].map(([, language = "", text = ""]) => ({ language, text }));
}

function steady(text: string): string {
  return text.replaceAll("\r", "").replaceAll(VARIABLE, "$1: …").trim();
}

suite("the README", () => {
  test("prints what its curl example prints", async () => {
    const all = await blocks();
    const [first, second] = all.filter(({ language }) => language === "sh");
    const outputs = all.filter(({ language, text }) => language === "" && !/^(npm|\$)/.test(text));
    assert.ok(first !== undefined && second !== undefined && outputs.length === 2);
    const atoll = await startAtollProcess();
    try {
      // The same commands: only where to find this instance and its launcher is said besides.
      const launcher = `npx() { shift; "${process.execPath}" "${ROOT}bin/atoll.js" "$@"; }`;
      const script = `set -e\n${launcher}\n${first.text}echo @@\n${second.text}`;
      const env = { PATH: process.env["PATH"], ATOLL_DATA: atoll.endpoints.data };
      const run = promisify(execFile)("bash", ["-c", script], { env, timeout: TIMEOUT_MS });
      const printed = (await run).stdout.split("@@\n");
      assert.deepEqual(
        printed.map(steady),
        outputs.map(({ text }) => steady(text)),
      );
    } finally {
      await atoll.stop();
    }
  });

  test("shows the example that is run by a test of its own", async () => {
    const example = await readFile(`${ROOT}examples/append-from-url.js`, "utf8");
    const all = await blocks();
    assert.ok(all.some(({ text }) => text === example));
  });
});
