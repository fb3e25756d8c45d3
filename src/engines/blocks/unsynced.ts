import type { UnsyncedBytes } from "./block-store.ts";

/** Beyond this it is better to sync than to store the bytes a second time. */
const KEPT_BYTES_MAX = 2 ** 20;

/** Remembers the short writes since the last sync, so that their bytes can be stored elsewhere. */
export interface Unsynced {
  readonly add: (run: UnsyncedBytes) => void;
  /** Something was written that is too long to be remembered: only a sync will do. */
  readonly addLong: () => void;
  /** What was added since the last call; undefined when that is not all that is unsynced. */
  readonly take: () => UnsyncedBytes[] | undefined;
  /** Runs a sync that covers all that was added before. */
  readonly duringSync: (sync: () => Promise<void>) => Promise<void>;
}

export function createUnsynced(): Unsynced {
  let runs: UnsyncedBytes[] = [];
  let bytes = 0;
  let isWhole = true;
  let isSyncing = false;

  function forget(): UnsyncedBytes[] {
    const taken = runs;
    runs = [];
    bytes = 0;
    return taken;
  }

  function addLong(): void {
    isWhole = false;
    forget();
  }

  return {
    add(run) {
      bytes += run.bytes.length;
      if (bytes > KEPT_BYTES_MAX) addLong();
      else if (isWhole) runs.push(run);
    },
    addLong,
    // What a sync under way covers has been forgotten here, and is not on disk yet.
    take: () => (isWhole && !isSyncing ? joined(forget()) : undefined),
    async duringSync(sync) {
      forget();
      isWhole = true;
      isSyncing = true;
      try {
        await sync();
      } finally {
        isSyncing = false;
      }
    },
  };
}

/** Runs that lie side by side become one. */
function joined(runs: readonly UnsyncedBytes[]): UnsyncedBytes[] {
  const groups: UnsyncedBytes[][] = [];
  let end = { extent: 0, offset: 0 };
  for (const run of runs) {
    const isNext = run.extent === end.extent && run.offset === end.offset;
    const group = isNext ? groups.at(-1) : undefined;
    if (group === undefined) groups.push([run]);
    else group.push(run);
    end = { extent: run.extent, offset: run.offset + run.bytes.length };
  }
  return groups.flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length === 1) return group;
    return [{ ...first, bytes: Buffer.concat(group.map(({ bytes }) => bytes)) }];
  });
}
