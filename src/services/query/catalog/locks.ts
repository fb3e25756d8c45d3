/** A lock that many may share, or one has alone. First come, first served. */
export interface Lock {
  readonly shared: () => Promise<Disposable>;
  readonly exclusive: () => Promise<Disposable>;
}

interface Waiting {
  readonly isExclusive: boolean;
  readonly start: () => void;
}

export function createLock(): Lock {
  let holders = 0;
  let isExclusive = false;
  const queue: Waiting[] = [];

  function startWaiting() {
    for (;;) {
      const [next] = queue;
      if (next === undefined || isExclusive || (next.isExclusive && holders > 0)) return;
      queue.shift();
      holders += 1;
      isExclusive = next.isExclusive;
      next.start();
    }
  }

  async function take(alone: boolean): Promise<Disposable> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    queue.push({ isExclusive: alone, start: () => resolve(undefined) });
    startWaiting();
    await promise;
    let isHeld = true;
    return {
      [Symbol.dispose]() {
        if (!isHeld) return;
        isHeld = false;
        holders -= 1;
        isExclusive = false;
        startWaiting();
      },
    };
  }

  return { shared: () => take(false), exclusive: () => take(true) };
}

/** One lock per id, made when it is first asked for. */
export function createLocks(): (id: number) => Lock {
  const locks = new Map<number, Lock>();
  return (id) => {
    const lock = locks.get(id) ?? createLock();
    locks.set(id, lock);
    return lock;
  };
}
