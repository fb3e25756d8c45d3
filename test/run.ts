import { fork } from "node:child_process";
import { once } from "node:events";
import { glob } from "node:fs/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";

/**
 * `npm test [-- FILE_OR_GLOB ...]`: runs the tests in one child process and ends in the line
 * `N passed, N failed`. Fails as well when nothing ran, when a test was left out, when the whole
 * takes too long, and when a test leaves something open that keeps the process alive.
 */
const PATTERNS = ["src/**/*.test.ts", "test/**/*.test.ts"];
const LIMIT_MS = 600_000;
/** How long the process may live on once the last test is over. */
const LINGER_MS = 5000;

interface Outcome {
  readonly tests: number;
  readonly passed: number;
  readonly failed: number;
  /** Names of tests that were not run, or not held to their result. */
  readonly leftOut: readonly string[];
  readonly complaint?: string;
}

const [mode, ...files] = process.argv.slice(2);
if (mode === "--child") await runTests(files);
else process.exitCode = await supervise(mode === undefined ? PATTERNS : [mode, ...files]);

/** In the child: runs the tests and tells the parent how they went. */
async function runTests(testFiles: readonly string[]): Promise<void> {
  const events = run({ files: [...testFiles], isolation: "none" });
  const tally = createTally(events);
  const report = events.compose(spec);
  report.pipe(process.stdout);
  // The stream does not end while anything is open. An open handle keeps this timer going,
  // too, and it does nothing by itself to keep the process alive.
  setInterval(() => {
    if (!tally.isOver()) return;
    for (const error of tally.failures) console.error(error);
    const open = new Set(process.getActiveResourcesInfo());
    const complaint = `A test has left something open: ${[...open].join(", ")}.`;
    process.send?.({ ...tally.outcome(), complaint } satisfies Outcome, () => process.exit(1));
  }, LINGER_MS).unref();
  await once(report, "end");
  process.send?.(tally.outcome());
}

/** Counts tests, and knows when none is left to run. */
function createTally(events: ReturnType<typeof run>) {
  const leftOut: string[] = [];
  const failures: Error[] = [];
  let [tests, passed, failed, pending] = [0, 0, 0, 0];
  let endedAt = performance.now();
  events.on("test:enqueue", () => (pending += 1));
  events.on("test:complete", () => {
    pending -= 1;
    endedAt = performance.now();
  });
  events.on("test:pass", ({ name, skip, todo, details }) => {
    if (details.type === "suite") return;
    tests += 1;
    if (skip === undefined && todo === undefined) passed += 1;
    else leftOut.push(name);
  });
  events.on("test:fail", ({ name, todo, details }) => {
    // A suite fails with its tests, which are counted themselves.
    if (details.type === "suite" && isSubtestFailure(details.error)) return;
    tests += 1;
    if (todo !== undefined) leftOut.push(name);
    else failed = failures.push(details.error);
  });
  return {
    /** For when the report, which shows them at its end, does not get there. */
    failures,
    isOver: () => pending === 0 && performance.now() - endedAt > LINGER_MS,
    outcome: (): Outcome => ({ tests, passed, failed, leftOut }),
  };
}

function isSubtestFailure(error: Error): boolean {
  return "failureType" in error && error.failureType === "subtestsFailed";
}

/** In the parent: finds the files, keeps the time, sums up. Resolves to the exit code. */
async function supervise(patterns: readonly string[]): Promise<number> {
  const found = await Array.fromAsync(glob(patterns));
  // As the launcher does: statements of the query engine must not hold up reads of files.
  const env = { UV_THREADPOOL_SIZE: "32", ...process.env };
  const child = fork(import.meta.filename, ["--child", ...found.toSorted()], { env });
  let outcome: Outcome = {
    tests: 0,
    passed: 0,
    failed: 0,
    leftOut: [],
    complaint: "The tests ended before they were complete.",
  };
  child.on("message", (message: Outcome) => (outcome = message));
  const limit = setTimeout(() => {
    const complaint = `The tests took more than ${LIMIT_MS / 1000} s.`;
    outcome = { ...outcome, complaint };
    child.kill("SIGKILL");
  }, LIMIT_MS);
  await once(child, "exit");
  clearTimeout(limit);
  return summarize(outcome);
}

function summarize({ tests, passed, failed, leftOut, complaint }: Outcome): number {
  const complaints = leftOut.map((name) => `Left out: ${name}`);
  if (complaint !== undefined) complaints.push(complaint);
  if (tests === 0) complaints.push("No test ran.");
  for (const line of complaints) console.error(line);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && complaints.length === 0 ? 0 : 1;
}
