import type { Readable } from "node:stream";
import { openLogFile } from "./log-file.ts";

const TAIL_CHARS = 16 * 1024;
const TAIL_LINES = 50;

/** What a child wrote last; all of it goes to its log file. */
export interface Output {
  readonly follow: (source: Readable) => void;
  /** The last 50 lines at most. */
  readonly tail: () => string[];
  /** Resolves when the output matches; no longer looks once the signal is aborted. */
  readonly matched: (pattern: RegExp, signal: AbortSignal) => Promise<void>;
  readonly close: () => void;
}

export function openOutput(logFile: string | undefined): Output {
  const log = logFile === undefined ? undefined : openLogFile(logFile);
  let text = "";
  let watch: ((newest: string) => void) | undefined;
  return {
    follow(source) {
      source.setEncoding("utf8").on("data", (chunk: string) => {
        log?.append(chunk, source);
        const newest = text + chunk;
        watch?.(newest);
        text = newest.slice(-TAIL_CHARS);
      });
    },
    tail() {
      const written = text.trimEnd();
      return written === "" ? [] : written.split("\n").slice(-TAIL_LINES);
    },
    matched(pattern, signal) {
      return new Promise((resolve) => {
        watch = (newest) => {
          if (newest.search(pattern) !== -1) resolve();
        };
        signal.addEventListener("abort", () => (watch = undefined));
        watch(text);
      });
    },
    close: () => log?.close(),
  };
}
