/** Which requests are under way: what one of them has looked up must stay until it has ended. */
export interface InFlight {
  /** Returns what to call when the request has ended; to call it again changes nothing. */
  readonly begin: () => () => void;
  /** Resolves once all that had begun before the call have ended. One call at a time. */
  readonly ended: () => Promise<void>;
}

export function createInFlight(): InFlight {
  let current = createGroup();
  return {
    begin: () => current.begin(),
    ended() {
      const before = current;
      current = createGroup();
      return before.close();
    },
  };
}

function createGroup() {
  const empty = Promise.withResolvers<void>();
  let count = 0;
  let isClosed = false;
  return {
    begin() {
      let isOver = false;
      count += 1;
      return () => {
        if (isOver) return;
        isOver = true;
        count -= 1;
        if (isClosed && count === 0) empty.resolve();
      };
    },
    close() {
      isClosed = true;
      if (count === 0) empty.resolve();
      return empty.promise;
    },
  };
}
