import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { CliError } from "./errors.ts";

/** Where a command reads and writes. Tests pass one of their own. */
export interface Terminal {
  /** Writes a line of the answer to standard output. */
  readonly print: (line: string) => void;
  /** Writes text that accompanies the answer to standard error, as it is. */
  readonly note: (text: string) => void;
  /** Somebody watches standard error. */
  readonly isWatched: boolean;
  /** Somebody can answer a question. */
  readonly canAsk: boolean;
  /** Everything on standard input. */
  readonly readInput: () => Promise<string>;
  /** Waits for the Enter key. */
  readonly pause: (question: string) => Promise<void>;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** The terminal that this process was started from. */
export function processTerminal(): Terminal {
  return {
    print: (line) => console.log(line),
    note: (chunk) => process.stderr.write(chunk),
    isWatched: process.stderr.isTTY,
    canAsk: process.stdin.isTTY && process.stdout.isTTY,
    readInput: () => text(process.stdin),
    pause,
    variables: process.env,
  };
}

async function pause(question: string): Promise<void> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const stopped = new AbortController();
  lines.on("SIGINT", () => stopped.abort());
  try {
    await lines.question(question, { signal: stopped.signal });
  } catch {
    throw new CliError("Stopped.", "What was made so far is removed again.");
  } finally {
    lines.close();
  }
}
