import { Problem } from "../problem.ts";
import type { Caller } from "./caller.ts";

/** Control-plane operations are matched by a role's `actions`, data-plane ones by `dataActions`. */
export type Plane = "control" | "data";

export interface AccessRequest {
  /** Native operation name, such as `Svc.Storage/storageAccounts/blobServices/containers/read`. */
  readonly action: string;
  /** A path from `/` down to the one thing that is touched. */
  readonly scope: string;
  readonly plane: Plane;
}

/**
 * The one access decision: does any role assignment of the caller, or of a group that the caller
 * is in, allow this action at this scope?
 */
export type Decide = (caller: Caller, request: AccessRequest) => boolean;

/** Refuses with 403 and says which action was missing at which scope. */
export function requireAccess(
  decide: Decide,
  caller: Caller,
  request: AccessRequest,
  code = "AuthorizationFailed",
): void {
  if (decide(caller, request)) return;
  const kind = request.plane === "data" ? "data action" : "action";
  throw new Problem(
    403,
    code,
    `The principal ${caller.objectId} may not perform the ${kind} ${request.action} at the ` +
      `scope ${request.scope}; no role assigned to it there allows it.`,
  );
}
