import { createWriteStream, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Readable } from "node:stream";

/** A log that grows beyond this becomes `<file>.1`, in place of the last one of that name. */
const LOG_BYTES_MAX = 16 * 1024 * 1024;

export interface LogFile {
  /** Appends text; its source waits while the disk is behind. */
  readonly append: (text: string, source: Readable) => void;
  readonly close: () => void;
}

/** Opens a log for appending. When the disk refuses it, the child goes on without a log. */
export function openLogFile(path: string): LogFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const waiting = new Set<Readable>();
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_BYTES_MAX) setAside();
  let stream = open();
  return { append, close: () => stream.end() };

  function append(text: string, source: Readable): void {
    if (size > LOG_BYTES_MAX) {
      stream.end();
      setAside();
      stream = open();
    }
    if (!stream.writable) return;
    size += Buffer.byteLength(text);
    if (stream.write(text)) return;
    waiting.add(source.pause());
  }

  function open() {
    const opened = createWriteStream(path, { flags: "a", mode: 0o600 });
    return opened.on("drain", resumeAll).on("error", resumeAll).on("close", resumeAll);
  }

  function setAside(): void {
    renameSync(path, `${path}.1`);
    size = 0;
  }

  function resumeAll(): void {
    for (const source of waiting) source.resume();
    waiting.clear();
  }
}
