/**
 * What is known of one name. Decisions are made on `assigned`, which is ahead of the disk;
 * `visible` is what readers are shown, and follows once the disk has it.
 */
export interface Entry<State> {
  /** Undefined where nothing has this name. */
  assigned: State | undefined;
  visible: State | undefined;
}

interface Kept<State> {
  readonly entry: Promise<Entry<State>>;
  users: number;
}

/** The state of the names in use, in memory. There is one entry per name at any time. */
export interface HotStates<State> {
  /** Hands `work` the entry of a name; the entry stays for as long as `work` takes. */
  readonly use: <Result>(
    key: string,
    work: (entry: Entry<State>) => Promise<Result> | Result,
  ) => Promise<Result>;
}

/** Remembers up to `countMax` entries that nobody uses, those used last. */
export function createHotStates<State>(
  load: (key: string) => Promise<State | undefined>,
  countMax: number,
): HotStates<State> {
  const kept = new Map<string, Kept<State>>();

  return {
    async use(key, work) {
      const mine = take(key);
      try {
        return await work(await mine.entry);
      } finally {
        mine.users -= 1;
        if (kept.size > countMax) evict();
      }
    },
  };

  function take(key: string): Kept<State> {
    const known = kept.get(key);
    if (known !== undefined) {
      // Back to the end of the map's order: the names used last are forgotten last.
      kept.delete(key);
      kept.set(key, known);
      known.users += 1;
      return known;
    }
    const fresh: Kept<State> = { entry: read(key), users: 1 };
    kept.set(key, fresh);
    fresh.entry.catch(() => {
      if (kept.get(key) === fresh) kept.delete(key);
    });
    return fresh;
  }

  async function read(key: string): Promise<Entry<State>> {
    const state = await load(key);
    return { assigned: state, visible: state };
  }

  function evict(): void {
    for (const [key, { users }] of kept) {
      if (kept.size <= countMax) return;
      if (users === 0) kept.delete(key);
    }
  }
}
