import type { Terminal } from "./terminal.ts";

/** What takes less time than this needs no explanation. */
const QUIET_MS = 1000;
const FRAME_MS = 120;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const ERASE_LINE = "\r\u001B[2K";

/** Shows a moving line while `work` goes on, if somebody watches and it takes a while. */
export async function withProgress<Result>(
  terminal: Terminal,
  title: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!terminal.isWatched) return work();
  const startedAt = performance.now();
  let frame = 0;
  const timer = setInterval(() => {
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs < QUIET_MS) return;
    frame += 1;
    const seconds = Math.floor(elapsedMs / 1000);
    terminal.note(`${ERASE_LINE}${FRAMES[frame % FRAMES.length]} ${title} (${seconds} s)`);
  }, FRAME_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (frame > 0) terminal.note(ERASE_LINE);
  }
}
