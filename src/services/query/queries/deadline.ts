import { Problem } from "#platform/problem.ts";
import type { RequestOptions } from "../protocol/options.ts";

const HOUR_MS = 3_600_000;
/** Nothing runs longer, whatever a request asks for. */
const TIMEOUT_MAX_MS = HOUR_MS;

/** How long a request may take: as it asks, or the default, and never more than an hour. */
export function timeoutOf(options: RequestOptions, defaultMs: number): number {
  const asked = options.hasNoTimeout ? TIMEOUT_MAX_MS : options.timeoutMs;
  return Math.min(Math.max(1, Math.ceil(asked ?? defaultMs)), TIMEOUT_MAX_MS);
}

export interface Deadline extends Disposable {
  /** Ends when the time is over, or with any of the other signals. */
  readonly signal: AbortSignal;
}

export function startDeadline(timeoutMs: number, others: readonly AbortSignal[]): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(
      new Problem(
        504,
        "RequestTimeout",
        `The request took longer than its time limit of ${timeoutMs / 1000} s (servertimeout) ` +
          "and was ended.",
      ),
    );
  }, timeoutMs);
  return {
    signal: AbortSignal.any([controller.signal, ...others]),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
