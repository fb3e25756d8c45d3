import { Problem } from "#platform/problem.ts";
import type { Context } from "../context.ts";
import { OWNER_ROLE_ID } from "../definitions/general-roles.ts";
import type { RoleAssignmentRow } from "../store.ts";

/**
 * Refuses to remove the last owners of the root: nobody could ever grant anything there again.
 * The assignment of a principal that is gone or disabled, or of an empty group, makes nobody one.
 */
export async function keepAnOwner(
  context: Context,
  removed: readonly RoleAssignmentRow[],
): Promise<void> {
  const lost = removed.find(isRootOwner);
  if (lost === undefined) return;
  const ids = new Set(removed.map(({ id }) => id));
  const left = (await rootOwners(context)).filter(({ id }) => !ids.has(id));
  if (left.some(({ principalObjectId }) => context.isEnabled(principalObjectId))) return;
  throw lastOwner(`The assignment ${lost.id} is the last one of Owner at /`);
}

/** Refuses when nobody could act as an owner of the root any more without this principal. */
export async function requireAnotherOwner(context: Context, objectId: string): Promise<void> {
  const owners = (await rootOwners(context)).map(({ principalObjectId }) => principalObjectId);
  const isOwned = (without?: string) => owners.some((id) => context.isEnabled(id, without));
  if (!isOwned() || isOwned(objectId)) return;
  throw lastOwner(`The principal ${objectId} is the last that is an Owner at /`);
}

function rootOwners({ store }: Context): Promise<RoleAssignmentRow[]> {
  return store.db
    .selectFrom("roleAssignment")
    .selectAll()
    .where("roleDefinitionId", "=", OWNER_ROLE_ID)
    .where("scopeKey", "=", "")
    .execute();
}

function isRootOwner({ roleDefinitionId, scopeKey }: RoleAssignmentRow): boolean {
  return roleDefinitionId === OWNER_ROLE_ID && scopeKey === "";
}

function lastOwner(what: string): Problem {
  return new Problem(400, "LastOwnerAssignment", `${what}; grant another one first.`);
}
