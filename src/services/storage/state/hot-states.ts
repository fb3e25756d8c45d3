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
  /** The same once it has been read. */
  loaded?: Entry<State>;
}

/** The state of the names in use, in memory. There is one entry per name at any time. */
export interface HotStates<State> {
  /** Hands `work` the entry of a name; the entry stays for as long as `work` takes. */
  readonly use: <Result>(
    key: string,
    work: (entry: Entry<State>) => Promise<Result> | Result,
  ) => Promise<Result>;
  /** Forgets whatever was assigned and is not visible, of all entries at once. */
  readonly forget: () => void;
  /** Of the names whose entries are in memory. */
  readonly keys: () => readonly string[];
  /** The entry of a name, if it is in memory. */
  readonly loaded: (key: string) => Entry<State> | undefined;
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
    forget() {
      for (const { loaded } of kept.values()) {
        if (loaded !== undefined) loaded.assigned = loaded.visible;
      }
    },
    keys: () => [...kept.keys()],
    loaded: (key) => kept.get(key)?.loaded,
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
    fresh.entry.then(
      (entry) => (fresh.loaded = entry),
      () => {
        if (kept.get(key) === fresh) kept.delete(key);
      },
    );
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
