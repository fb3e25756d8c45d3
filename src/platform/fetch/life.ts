import { OutboundError, toError } from "./outbound-error.ts";

/** The longest time that a timer can wait for. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export interface LifeOptions {
  readonly host: string;
  readonly totalTimeoutMs: number;
  /** Whoever asked for the fetch ends it early with this. */
  readonly signal: AbortSignal | undefined;
}

/** One fetch from beginning to end: whatever stops it, stops all of it, for one reason. */
export interface Life {
  readonly host: string;
  /** Aborted when the fetch has failed; its reason is then the one error to report. */
  readonly signal: AbortSignal;
  /** Gives the fetch this long until the next phase; what it then failed to do is named. */
  readonly phase: (task: string, limitMs: number) => void;
  /** No limit but the total one: the fetch waits for whoever asked for it. */
  readonly pause: () => void;
  /** Runs when the fetch is over, however it ended. */
  readonly onEnd: (release: () => void) => void;
  /** Nothing can fail from here on; all that is held is released. May be called again. */
  readonly end: () => void;
  /** The promise, unless the fetch fails before it is settled. */
  readonly during: <T>(work: Promise<T>) => Promise<T>;
}

export function openLife({ host, totalTimeoutMs, signal: caller }: LifeOptions): Life {
  const controller = new AbortController();
  const { signal } = controller;
  const releases: (() => void)[] = [];
  let isOver = false;
  let current: NodeJS.Timeout | undefined;
  const total = timer("answer completely", totalTimeoutMs);
  const abort = () => controller.abort(toError(caller?.reason));
  caller?.addEventListener("abort", abort);
  if (caller?.aborted === true) abort();

  return { host, signal, phase, pause, onEnd, end, during };

  function phase(task: string, limitMs: number): void {
    clearTimeout(current);
    if (!isOver) current = timer(task, limitMs);
  }

  function pause(): void {
    clearTimeout(current);
  }

  function onEnd(release: () => void): void {
    if (isOver) release();
    else releases.push(release);
  }

  function end(): void {
    isOver = true;
    clearTimeout(current);
    clearTimeout(total);
    caller?.removeEventListener("abort", abort);
    for (const release of releases.splice(0)) release();
  }

  async function during<T>(work: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const fail = () => reject(toError(signal.reason));
    signal.addEventListener("abort", fail);
    if (signal.aborted) fail();
    try {
      return await Promise.race([work, promise]);
    } finally {
      signal.removeEventListener("abort", fail);
    }
  }

  function timer(task: string, limitMs: number): NodeJS.Timeout {
    const sentence = `The host ${host} did not ${task} within ${limitMs} ms.`;
    const expire = () => controller.abort(new OutboundError("timeout", sentence));
    return setTimeout(expire, Math.min(limitMs, TIMER_MAX_MS));
  }
}
