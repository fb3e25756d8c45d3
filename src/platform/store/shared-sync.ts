/** Makes many waiters share few disk syncs. */
export interface SharedSync {
  /**
   * Resolves once a sync that began after this call has ended. After a failed sync nothing is
   * known about what is on disk, and the system may report success the next time: therefore
   * everybody who waits and everybody who comes later is rejected.
   */
  readonly covered: () => Promise<void>;
  /** Throws the error of the sync that failed, if one has. */
  readonly check: () => void;
}

/** At most one `sync` runs and one is due; whoever comes while one runs shares the one due. */
export function createSharedSync(sync: () => Promise<void>): SharedSync {
  let running: Promise<void> | undefined;
  let due: Promise<void> | undefined;
  let failure: Error | undefined;

  function check(): void {
    if (failure !== undefined) throw failure;
  }

  async function begin(): Promise<void> {
    due = undefined;
    check();
    try {
      await sync();
    } catch (cause) {
      failure = new Error("The disk refused to store data; nothing is written any more.", {
        cause,
      });
      throw failure;
    } finally {
      running = due;
    }
  }

  function covered(): Promise<void> {
    if (running === undefined) {
      running = begin();
      return running;
    }
    due ??= running.then(begin, begin);
    return due;
  }

  return { covered, check };
}
