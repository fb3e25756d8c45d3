import { Problem } from "#platform/problem.ts";

/** The refusal of what did not take place because the disk is full. Clients try it again. */
export function diskFull(): Problem {
  return new Problem(
    503,
    "ServerBusy",
    "The disk is full and nothing was changed; it can be tried again once there is space.",
  );
}
