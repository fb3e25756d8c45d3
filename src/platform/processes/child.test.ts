import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { suite, test } from "node:test";
import { startChild, type ChildOptions } from "./child.ts";
import { startOf } from "./identity.ts";
import { ProcessError } from "./process-error.ts";

const LIMIT_MS = 10_000;

/** Options of a child that runs this JavaScript, and is ready when it says so. */
async function script(source: string, more: Partial<ChildOptions> = {}): Promise<ChildOptions> {
  const cwd = await mkdtemp(join(tmpdir(), "atoll-child-"));
  return {
    name: "child",
    command: process.execPath,
    args: ["-e", source],
    cwd,
    env: {},
    ready: /ready/,
    readyTimeoutMs: LIMIT_MS,
    runDir: join(cwd, "run"),
    ...more,
  };
}

const untilKilled = "setInterval(() => {}, 1000);";

function failed(sentence: RegExp, lines: string[]) {
  return (error: unknown) => {
    assert.ok(error instanceof ProcessError);
    assert.match(error.message, sentence);
    assert.deepEqual(error.lines, lines);
    return true;
  };
}

async function ended(pid: number): Promise<void> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  while (startOf(pid) !== undefined) await wait(5, undefined, { signal: limit });
}

suite("starting a child", () => {
  test("waits until its output says that it is ready, and records it meanwhile", async () => {
    const options = await script(`console.log("almost"); console.log("ready"); ${untilKilled}`);
    const child = await startChild(options);
    const record: unknown = JSON.parse(await readFile(join(options.runDir, "child.json"), "utf8"));
    const startedAt = startOf(child.pid);
    const { pid } = child;
    assert.deepEqual(record, { name: "child", pid, startedAt, command: process.execPath });
    assert.deepEqual(child.tail(), ["almost", "ready"]);
    assert.deepEqual(await child.stop(), { code: null, signal: "SIGTERM" });
    assert.deepEqual(await readdir(options.runDir), []);
    assert.equal(startOf(child.pid), undefined);
  });

  test("asks until the answer is yes, and takes an error for no", async () => {
    const answers = [new Error("refused"), false, true];
    const ready = async () => {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer ?? assert.fail("asked again after the answer");
    };
    const child = await startChild(await script(untilKilled, { ready }));
    assert.deepEqual(answers, []);
    await child.stop({ signal: "SIGKILL" });
  });

  test("gives it the variables named and no others, and its folder", async () => {
    const source = "console.log(JSON.stringify(process.env), process.cwd(), 'ready')";
    const options = await script(source, { env: { A: "b" } });
    const child = await startChild(options);
    assert.deepEqual(child.tail(), [`{"A":"b"} ${options.cwd} ready`]);
    assert.deepEqual(await child.exited, { code: 0, signal: null });
  });

  test("fails with the last lines of a child that ends too early", async () => {
    const source = "console.log('opening'); console.error('no such file'); process.exitCode = 3";
    const options = await script(source);
    const sentence = /^child ended with code 3 before it was ready\.\nopening\nno such file$/;
    await assert.rejects(startChild(options), failed(sentence, ["opening", "no such file"]));
    assert.deepEqual(await readdir(options.runDir), []);
  });

  test("fails and leaves nothing running when it takes too long or is given up", async () => {
    const pids: number[] = [];
    const source = `console.log(process.pid); ${untilKilled}`;
    async function fail(options: ChildOptions) {
      const error: unknown = await startChild(options).catch((thrown: unknown) => thrown);
      const log = await readFile(join(options.cwd, "child.log"), "utf8");
      pids.push(Number(log));
      assert.deepEqual(await readdir(options.runDir), []);
      return error instanceof Error ? error.message.split("\n")[0] : error;
    }
    const late = await script(source);
    const logged = { ...late, logFile: join(late.cwd, "child.log") };
    assert.equal(
      await fail({ ...logged, ready: neverAfter(logged), readyTimeoutMs: 1000 }),
      "child was not ready within 1000 ms.",
    );
    const stop = new AbortController();
    const ready = neverAfter(logged, () => stop.abort(new Error("stopping")));
    assert.equal(await fail({ ...logged, ready, signal: stop.signal }), "stopping");
    assert.equal(pids.length, 2);
    for (const pid of pids) await ended(pid);
  });

  test("says what could not be started", async () => {
    const options = await script("", { command: "/nowhere/engine" });
    const sentence = /^child could not be started in .*: spawn \/nowhere\/engine ENOENT\.$/;
    await assert.rejects(startChild(options), failed(sentence, []));
  });

  test("refuses a name that is in use or is no file name", async () => {
    const options = await script(`console.log("ready"); ${untilKilled}`);
    const child = await startChild(options);
    await assert.rejects(startChild(options), failed(/^child runs already, as process \d+\.$/, []));
    await child.stop();
    const escaping = { ...options, name: "../child" };
    await assert.rejects(startChild(escaping), failed(/"\.\.\/child" cannot name a process/, []));
    const again = await startChild(options);
    await again.stop();
  });
});

suite("stopping a child", () => {
  test("kills what does not end within the grace", async () => {
    const deaf = 'process.on("SIGTERM", () => console.log("no")); console.log("ready");';
    const source = `${deaf} ${untilKilled}`;
    const child = await startChild(await script(source));
    const stopped = await child.stop({ graceMs: 100 });
    assert.deepEqual(stopped, { code: null, signal: "SIGKILL" });
    assert.deepEqual(child.tail(), ["ready", "no"]);
    assert.deepEqual(await child.stop(), stopped);
  });

  test("ends its children and grandchildren with it, also when it ends by itself", async () => {
    const source = `
      const { spawn } = require("node:child_process");
      const forever = ["-e", ${JSON.stringify(untilKilled)}];
      const { pid } = spawn(process.execPath, forever, { stdio: "inherit" });
      process.on("SIGTERM", () => process.exit(0));
      console.log(pid, "ready");
      ${untilKilled}`;
    const stopped = await startChild(await script(source));
    assert.deepEqual(await stopped.stop(), { code: 0, signal: null });
    await ended(Number.parseInt(stopped.tail()[0] ?? "", 10));

    const killed = await startChild(await script(source));
    process.kill(killed.pid, "SIGKILL");
    assert.deepEqual(await killed.exited, { code: null, signal: "SIGKILL" });
    await ended(Number.parseInt(killed.tail()[0] ?? "", 10));
  });
});

suite("the output of a child", () => {
  test("is kept in the log in full, and in memory up to its last 50 lines", async () => {
    const source = `
      for (let line = 1; line <= 20000; line += 1) console.log("line", line);
      console.log("ready")`;
    const options = await script(source);
    const logFile = join(options.cwd, "logs", "child.log");
    const child = await startChild({ ...options, logFile });
    await child.exited;
    const log = (await readFile(logFile, "utf8")).split("\n");
    assert.deepEqual([log.length, log[0], log.at(-2)], [20_002, "line 1", "ready"]);
    assert.deepEqual([child.tail().length, child.tail()[0]], [50, "line 19952"]);
  });

  test("is set aside when the log grows too large", async () => {
    const options = await script(`console.log("ready")`);
    const logFile = join(options.cwd, "child.log");
    await writeFile(logFile, Buffer.alloc(16 * 1024 * 1024 + 1, "x"));
    const child = await startChild({ ...options, logFile });
    await child.exited;
    assert.equal(await readFile(logFile, "utf8"), "ready\n");
    assert.equal((await readFile(`${logFile}.1`)).length, 16 * 1024 * 1024 + 1);
  });

  test("is lost when the disk refuses the log, and the child goes on", async () => {
    const source = `console.log("x".repeat(1000000)); console.log("ready")`;
    const options = await script(source, { logFile: tmpdir() });
    const child = await startChild(options);
    assert.deepEqual(await child.exited, { code: 0, signal: null });
  });
});

/** A question that is never answered with yes, and does this once the child has spoken. */
function neverAfter({ cwd }: ChildOptions, then: () => void = () => undefined) {
  return async () => {
    if ((await readFile(join(cwd, "child.log"), "utf8")).endsWith("\n")) then();
    return false;
  };
}
