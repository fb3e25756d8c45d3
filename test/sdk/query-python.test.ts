import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { before, suite, test } from "node:test";
import { promisify } from "node:util";
import { startQuery } from "#services/query/query.fixture.ts";
import { pythonWith } from "../support/python.ts";

const FOLDER = join(import.meta.dirname, "python");
const TIMEOUT_MS = 120_000;

/** What `python/query.py` checks, by the names of its functions. */
const CHECKS = {
  types: "reads values of every type",
  commands: "runs management commands",
  options: "passes parameters and time-outs",
  refusals: "tells semantic errors from others",
  truncation: "sees a result that was cut as an error",
  streaming: "streams rows in, and results out",
};

interface Outcome {
  readonly name: string;
  readonly error?: string;
}

suite("query, through Python's azure-kusto-data and azure-kusto-ingest", () => {
  let outcomes: readonly Outcome[] = [];

  before(async () => {
    const python = await pythonWith(join(FOLDER, "query-requirements.txt"));
    await using query = await startQuery();
    const origin = await query.apps.query.listen({ host: "127.0.0.1", port: 0 });
    const env = { PATH: process.env["PATH"] ?? "", CLUSTER_URI: origin };
    const options = { env, timeout: TIMEOUT_MS };
    const { stdout } = await promisify(execFile)(python, [join(FOLDER, "query.py")], options);
    outcomes = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Outcome);
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
