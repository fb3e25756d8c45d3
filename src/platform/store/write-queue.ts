import { AsyncLocalStorage } from "node:async_hooks";

/** Writers that may wait at a time; far more than the listeners let in. */
const MAX_WAITING_WRITES = 100_000;

/** Lets one transaction of a store run at a time, in the order in which they were asked for. */
export interface WriteQueue {
  /**
   * Runs `transact` when its turn has come, then `settle` while the next one runs already.
   * Rejects at once inside a `transact` (it would wait for itself), after `close`, and when too
   * many wait.
   */
  readonly run: <Result>(
    transact: () => Promise<Result>,
    settle: () => Promise<void>,
  ) => Promise<Result>;
  /** Whether the caller is the code of a transaction that is under way. */
  readonly inside: () => boolean;
  /** Refuses new writers and resolves when those that had come are done. */
  readonly close: () => Promise<void>;
}

export function createWriteQueue(): WriteQueue {
  const turns = new AsyncLocalStorage<{ running: boolean }>();
  const drained = Promise.withResolvers<void>();
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let closed = false;

  function inside(): boolean {
    return turns.getStore()?.running === true;
  }

  function takeTurn<Result>(transact: () => Promise<Result>): Promise<Result> {
    const turn = { running: true };
    // What a transaction has started and not awaited may write once the transaction is over.
    const end = () => (turn.running = false);
    const result = last.then(() => turns.run(turn, transact));
    last = result.then(end, end);
    return result;
  }

  async function run<Result>(
    transact: () => Promise<Result>,
    settle: () => Promise<void>,
  ): Promise<Result> {
    if (inside()) {
      throw new Error("A write inside a write would wait for itself; use its transaction.");
    }
    if (closed) throw new Error("The store is closed.");
    if (waiting >= MAX_WAITING_WRITES) {
      throw new Error(`${waiting} writes are waiting, which is the limit.`);
    }
    waiting += 1;
    try {
      const result = await takeTurn(transact);
      await settle();
      return result;
    } finally {
      waiting -= 1;
      if (closed && waiting === 0) drained.resolve();
    }
  }

  async function close(): Promise<void> {
    closed = true;
    if (waiting > 0) await drained.promise;
  }

  return { run, inside, close };
}
