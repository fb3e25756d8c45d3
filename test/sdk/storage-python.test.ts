import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { before, suite, test } from "node:test";
import { promisify } from "node:util";
import { ACCOUNT, KEYS, startStorage } from "#services/storage/storage.fixture.ts";
import { pythonWith } from "../support/python.ts";

const FOLDER = join(import.meta.dirname, "python");
const TIMEOUT_MS = 120_000;

/** What `python/storage.py` checks, by the names of its functions. */
const CHECKS = {
  append: "appends at a position, and is refused where it has passed",
  append_from_url: "appends from a URL, under conditions and hashes of the source",
  blocks: "puts large blobs in blocks, and commits block lists",
  pages: "writes and clears pages, also from a URL",
  leases: "leases blobs and containers",
  signatures: "signs for others what they may do",
  listing: "lists page by page and level by level",
  tags: "finds blobs by tags, and writes under conditions on them",
  copies_and_snapshots: "copies, and reads what was",
};

interface Outcome {
  readonly name: string;
  readonly error?: string;
}

suite("storage, through Python's azure-storage-blob", () => {
  let outcomes: readonly Outcome[] = [];

  before(async () => {
    const python = await pythonWith(join(FOLDER, "requirements.txt"));
    const origins: string[] = [];
    const storage = await startStorage({ listenersOrigins: () => origins });
    try {
      origins.push(await storage.app.listen({ host: "127.0.0.1", port: 0 }));
      const env = {
        PATH: process.env["PATH"] ?? "",
        ACCOUNT,
        ACCOUNT_KEY: KEYS[0].toString("base64"),
        ACCOUNT_URL: `${origins[0]}/${ACCOUNT}`,
      };
      const options = { env, timeout: TIMEOUT_MS };
      const { stdout } = await promisify(execFile)(python, [join(FOLDER, "storage.py")], options);
      outcomes = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Outcome);
    } finally {
      await storage.stop();
    }
  });

  for (const [name, sentence] of Object.entries(CHECKS)) {
    test(sentence, () => {
      const outcome = outcomes.find((one) => one.name === name);
      assert.ok(outcome, `${name} was not checked`);
      if (outcome.error !== undefined) assert.fail(outcome.error);
    });
  }

  test("checks nothing that is not named here", () => {
    const names = outcomes.map(({ name }) => name);
    assert.deepEqual(names, Object.keys(CHECKS));
  });
});
