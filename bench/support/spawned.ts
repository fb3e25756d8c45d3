import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

const KEPT_OUTPUT_CHARACTERS = 4000;
const STOP_LIMIT_MS = 15_000;

/** A server in a process of its own, started by this Node. */
export interface Spawned {
  readonly pid: number;
  /** What it wrote last to standard output and standard error. */
  readonly output: () => string;
  /** Resolves with its first line on standard output; rejects when it ends without one. */
  readonly firstLine: Promise<string>;
  readonly hasEnded: () => boolean;
  /** SIGTERM, and SIGKILL when that does not help. */
  readonly stop: () => Promise<void>;
  /** SIGKILL, and the end of the process. */
  readonly kill: () => Promise<void>;
}

/** Runs `node ...args`. */
export function spawnNode(args: readonly string[]): Spawned {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const { pid } = child;
  if (pid === undefined) throw new Error(`node ${args.join(" ")} could not be started.`);
  const ended = once(child, "exit");
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const { output, firstLine } = follow(child);

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (hasEnded()) return;
    child.kill(signal);
    // A process that SIGSTOP holds sees the other signals only when it goes on.
    child.kill("SIGCONT");
    await ended;
  }

  return {
    pid,
    output,
    firstLine,
    hasEnded,
    kill: () => end("SIGKILL"),
    async stop() {
      const impatience = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
      await end("SIGTERM");
      clearTimeout(impatience);
    },
  };
}

function follow(child: ChildProcess) {
  let kept = "";
  let standardOutput = "";
  const firstLine = new Promise<string>((resolve, reject) => {
    child.stdout?.on("data", (piece: Buffer) => {
      kept = (kept + piece.toString()).slice(-KEPT_OUTPUT_CHARACTERS);
      if (standardOutput.includes("\n")) return;
      standardOutput += piece.toString();
      const [line = "", ...more] = standardOutput.split("\n");
      if (more.length > 0) resolve(line);
    });
    child.stderr?.on("data", (piece: Buffer) => {
      kept = (kept + piece.toString()).slice(-KEPT_OUTPUT_CHARACTERS);
    });
    child.on("close", () => reject(new Error(`The server ended at its start:\n${kept}`)));
  });
  // Whoever does not ask for the line is not to fail over it.
  firstLine.catch(() => undefined);
  return { output: () => kept, firstLine };
}

/** A port that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No port was given.");
  return address.port;
}
