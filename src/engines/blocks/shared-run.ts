/**
 * Shares runs of `work` among all that wait: one is under way, at most one is queued. Each call
 * is answered by a run that began after it.
 */
export function shareRuns(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let queued: Promise<void> | undefined;

  return function run() {
    if (queued !== undefined) return queued;
    if (running === undefined) return start();
    queued = running
      // Its failure is told to those who waited for it.
      .catch(() => undefined)
      .then(() => {
        queued = undefined;
        return start();
      });
    return queued;
  };

  function start(): Promise<void> {
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  }
}
