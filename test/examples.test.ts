import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { suite, test } from "node:test";
import { promisify } from "node:util";
import { startAtollProcess } from "./support/atoll-process.ts";

const TIMEOUT_MS = 60_000;

/** What an example prints, run as its own program against a running Atoll. */
async function output(example: string, ...flags: string[]): Promise<string> {
  const atoll = await startAtollProcess(...flags);
  try {
    const file = new URL(`../examples/${example}`, import.meta.url).pathname;
    const env = { PATH: process.env["PATH"] ?? "", ...atoll.variables };
    const run = promisify(execFile)(process.execPath, [file], { env, timeout: TIMEOUT_MS });
    return (await run).stdout;
  } finally {
    await atoll.stop();
  }
}

suite("the examples", () => {
  test("append a block from a URL with an unmodified SDK", async () => {
    assert.equal(
      await output("append-from-url.js"),
      "block 2 at byte 13\nhello, atoll\nhello, atoll\n\n",
    );
  });

  test("a role on one container lets in there, nowhere else, and until it is removed", async () => {
    assert.equal(
      await output("roles.js", "--tls"),
      [
        "before the grant: mine/day.log: 403 AuthorizationPermissionMismatch",
        "granted on one container: mine/day.log: created",
        "granted on one container: theirs/day.log: 403 AuthorizationPermissionMismatch",
        "after the role was removed: mine/day.log: 403 AuthorizationPermissionMismatch",
        "",
      ].join("\n"),
    );
  });
});
