import type { Caller } from "#platform/auth/caller.ts";
import { maskSecrets } from "./mask-secrets.ts";

/** Queries and commands that are remembered, of each kind. */
export const REMEMBERED_MAX = 1000;

export type ActivityState = "InProgress" | "Completed" | "Failed" | "Cancelled";

/** One query or command: under way, or remembered. */
export interface RequestActivity {
  readonly id: string;
  readonly kind: "query" | "command";
  readonly clientRequestId: string;
  readonly commandType: string;
  /** Without secrets. */
  readonly text: string;
  readonly database: string;
  readonly application: string;
  readonly user: string;
  readonly principal: string;
  readonly startedOn: Date;
  updatedOn: Date;
  state: ActivityState;
  failure: string;
  records: number;
  bytes: number;
}

export interface ActivityStart {
  readonly id: string;
  readonly kind: RequestActivity["kind"];
  readonly clientRequestId: string;
  readonly commandType: string;
  readonly text: string;
  readonly database: string;
  readonly application: string;
  readonly user: string;
  readonly caller: Caller;
}

export interface StartedActivity {
  readonly activity: RequestActivity;
  /** Ends with the reason once somebody cancels. */
  readonly signal: AbortSignal;
  /** Once; later calls have no effect. */
  readonly end: (failure?: string) => void;
}

/** What is under way now, and what was lately. In memory: it goes with the process. */
export interface Activities {
  readonly begin: (start: ActivityStart) => StartedActivity;
  readonly running: () => readonly RequestActivity[];
  /** The newest last. */
  readonly list: (kind: RequestActivity["kind"]) => readonly RequestActivity[];
  /** Cancels those under way that `which` chooses, and returns them. */
  readonly cancel: (
    which: (activity: RequestActivity) => boolean,
    reason: Error,
  ) => readonly RequestActivity[];
}

export function createActivities(now: () => Date): Activities {
  const running = new Map<RequestActivity, AbortController>();
  const remembered = { query: [] as RequestActivity[], command: [] as RequestActivity[] };

  function remember(activity: RequestActivity): void {
    const list = remembered[activity.kind];
    list.push(activity);
    if (list.length > REMEMBERED_MAX) list.shift();
  }

  return {
    begin(start) {
      const activity = activityOf(start, now());
      const controller = new AbortController();
      running.set(activity, controller);
      remember(activity);
      return {
        activity,
        signal: controller.signal,
        end(failure) {
          if (!running.delete(activity)) return;
          activity.updatedOn = now();
          activity.failure = failure ?? "";
          if (controller.signal.aborted) activity.state = "Cancelled";
          else activity.state = failure === undefined ? "Completed" : "Failed";
        },
      };
    },
    running: () => [...running.keys()],
    list: (kind) => remembered[kind],
    cancel(which, reason) {
      const chosen = [...running.entries()].filter(([activity]) => which(activity));
      for (const [, controller] of chosen) controller.abort(reason);
      return chosen.map(([activity]) => activity);
    },
  };
}

function activityOf(start: ActivityStart, at: Date): RequestActivity {
  const { caller } = start;
  return {
    id: start.id,
    kind: start.kind,
    clientRequestId: start.clientRequestId,
    commandType: start.commandType,
    text: maskSecrets(start.text),
    database: start.database,
    application: start.application,
    user: start.user,
    principal: caller.objectId,
    startedOn: at,
    updatedOn: at,
    state: "InProgress",
    failure: "",
    records: 0,
    bytes: 0,
  };
}
