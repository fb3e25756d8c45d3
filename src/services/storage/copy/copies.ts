/** Copies that run at a time; more are refused, and those of an earlier run wait their turn. */
const COPIES_MAX = 64;

/** Copies under way. Those of an earlier run of the service are under way no more. */
export interface Copies {
  readonly isRunning: (id: string) => boolean;
  readonly isFull: () => boolean;
  /** It counts as under way from now on, also while it waits for a place. */
  readonly start: (id: string, work: (signal: AbortSignal) => Promise<void>) => void;
  readonly abort: (id: string) => void;
  /** Ends all that run. */
  readonly stop: () => Promise<void>;
}

export function createCopies(failed: (error: unknown) => void): Copies {
  const running = new Map<string, { controller: AbortController; done: Promise<void> }>();
  const waiting: (() => void)[] = [];
  let places = COPIES_MAX;
  async function inPlace(work: () => Promise<void>): Promise<void> {
    if (places > 0) places -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) places += 1;
      else next();
    }
  }
  return {
    isRunning: (id) => running.has(id),
    isFull: () => running.size >= COPIES_MAX,
    start(id, work) {
      const controller = new AbortController();
      const { signal } = controller;
      const done = inPlace(async () => (signal.aborted ? undefined : work(signal)))
        .catch(failed)
        .finally(() => running.delete(id));
      running.set(id, { controller, done });
    },
    abort(id) {
      running.get(id)?.controller.abort(new Error("The copy was aborted."));
      running.delete(id);
    },
    async stop() {
      const all = [...running.values()];
      for (const { controller } of all) controller.abort(new Error("The service stops."));
      await Promise.all(all.map(({ done }) => done));
    },
  };
}
