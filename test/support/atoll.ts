import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const ROOT = join(import.meta.dirname, "..", "..");
const START_LIMIT_MS = 60_000;

export interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface CommandOptions {
  readonly input?: string;
  readonly cwd?: string;
}

/** Runs a command of the real command line in a process of its own, to its end. */
export async function atoll(
  argv: readonly string[],
  { input = "", cwd = ROOT }: CommandOptions = {},
): Promise<CommandResult> {
  const child = launch(argv, cwd);
  child.stdin.end(input);
  const [out, err] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { code: child.exitCode, out, err };
}

export interface RunningAtoll extends AsyncDisposable {
  readonly process: ChildProcess;
  /** Everything it has printed so far. */
  readonly output: () => string;
  /** Sends a signal and resolves to the exit code once it has ended. */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>;
}

/** Starts `atoll up` on any free ports and resolves once it says that it is ready. */
export async function startAtoll(
  data: string,
  argv: readonly string[] = [],
): Promise<RunningAtoll> {
  const ports = ["--port", "--query-port", "--ingest-port", "--blob-port"];
  const anyPort = ports.flatMap((flag) => [flag, "0"]);
  const child = launch(["up", "--data", data, ...anyPort, ...argv], ROOT);
  let output = "";
  const ended = once(child, "exit");
  const ready = new Promise<void>((resolve, reject) => {
    const limit = setTimeout(() => child.kill("SIGKILL"), START_LIMIT_MS);
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
      if (!/^ready/m.test(output)) return;
      clearTimeout(limit);
      resolve();
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    void ended.then(() => {
      clearTimeout(limit);
      return reject(new Error(`atoll up ended before it was ready:\n${output}`));
    });
  });
  await ready;

  async function stop(signal: NodeJS.Signals): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await ended;
    return child.exitCode;
  }
  return {
    process: child,
    output: () => output,
    stop,
    async [Symbol.asyncDispose]() {
      await stop("SIGKILL");
    },
  };
}

function launch(argv: readonly string[], cwd: string) {
  const launcher = join(ROOT, "bin", "atoll.js");
  // Settings of the surrounding shell would change what the tests mean.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("ATOLL_"));
  return spawn(process.execPath, [launcher, ...argv], {
    cwd,
    env: Object.fromEntries(inherited),
    stdio: "pipe",
  });
}
