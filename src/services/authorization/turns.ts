import { Problem } from "#platform/problem.ts";

/** Changes that may wait at a time; each takes about as long as one disk sync. */
const WAITING_MAX = 1000;

/** Runs the work alone: after all that came before it, and before all that comes later. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * One change at a time, from the check of the caller's rights to the update of the index. So no
 * check is outdated by the time of its change, and the index sees changes in the order of commits.
 */
export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  return async function inTurn(work) {
    if (waiting >= WAITING_MAX) {
      throw new Problem(
        429,
        "TooManyRequests",
        `${waiting} changes of roles wait already, and no more than ${WAITING_MAX} may.`,
        { headers: { "retry-after": "1" } },
      );
    }
    waiting += 1;
    const turn = last.then(work);
    const end = () => (waiting -= 1);
    last = turn.then(end, end);
    return turn;
  };
}
