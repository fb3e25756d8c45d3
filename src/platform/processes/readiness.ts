import { setTimeout as wait } from "node:timers/promises";
import type { Output } from "./output.ts";
import { ProcessError } from "./process-error.ts";

const POLL_MS = 50;

export interface Readiness {
  readonly name: string;
  /** What the output shows, or a question that is asked again until it is answered with true. */
  readonly ready: RegExp | (() => Promise<boolean>);
  readonly readyTimeoutMs: number;
  /** Gives up the start; it has no effect on a child that is ready. */
  readonly signal?: AbortSignal | undefined;
}

/** Resolves when the child is ready; rejects when it ended, took too long or was given up. */
export async function untilReady(
  { name, ready, readyTimeoutMs, signal }: Readiness,
  output: Output,
  exited: Promise<{ readonly code: number | null; readonly signal: string | null }>,
): Promise<void> {
  const settled = new AbortController();
  try {
    await Promise.race([
      ready instanceof RegExp
        ? output.matched(ready, settled.signal)
        : answered(ready, settled.signal),
      exited.then((exit) => {
        const how = exit.signal ?? `code ${exit.code}`;
        throw new ProcessError(`${name} ended with ${how} before it was ready.`, output.tail());
      }),
      wait(readyTimeoutMs, undefined, { signal: settled.signal }).then(() => {
        const sentence = `${name} was not ready within ${readyTimeoutMs} ms.`;
        throw new ProcessError(sentence, output.tail());
      }),
      givenUp(signal, settled.signal),
    ]);
  } finally {
    settled.abort();
  }
}

async function answered(ask: () => Promise<boolean>, settled: AbortSignal): Promise<void> {
  while (!settled.aborted) {
    // Whoever is not up yet refuses connections: that is an answer like any other.
    if (await ask().catch(() => false)) return;
    await wait(POLL_MS, undefined, { signal: settled });
  }
}

function givenUp(signal: AbortSignal | undefined, settled: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const giveUp = () => {
      const reason: unknown = signal?.reason;
      reject(reason instanceof Error ? reason : new Error(String(reason)));
    };
    signal?.addEventListener("abort", giveUp, { signal: settled });
    if (signal?.aborted === true) giveUp();
  });
}
