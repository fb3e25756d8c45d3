import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, suite, test } from "node:test";
import { promisify } from "node:util";
import { startAtollProcess } from "./support/atoll-process.ts";
import { startPostgres, type TestPostgres } from "./support/postgres.ts";

const TIMEOUT_MS = 60_000;
const EXAMPLE = new URL("../examples/append-from-url.js", import.meta.url).pathname;

suite("Atoll on a Postgres server", () => {
  let postgres: TestPostgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  test("keeps every service's tables there and works the same", async () => {
    const atoll = await startAtollProcess("--postgres-url", await postgres.url("atoll"));
    try {
      const env = { PATH: process.env["PATH"] ?? "", ...atoll.variables };
      const run = promisify(execFile)(process.execPath, [EXAMPLE], { env, timeout: TIMEOUT_MS });
      assert.equal((await run).stdout, "block 2 at byte 13\nhello, atoll\nhello, atoll\n\n");
    } finally {
      await atoll.stop();
    }
  });
});
