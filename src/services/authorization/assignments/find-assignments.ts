import type { Caller } from "#platform/auth/caller.ts";
import { Problem } from "#platform/problem.ts";
import { hasRight, requireRight, requireRightSomewhere, type Context } from "../context.ts";
import type { AssignmentFilter } from "./filter.ts";
import { checkAssignmentId } from "../identifiers.ts";
import type { RoleAssignmentRow } from "../store.ts";

/**
 * The assignment, for a caller who may do this with it. Whoever may do it nowhere, or cannot even
 * read this one, does not learn whether it exists.
 */
export async function requireAssignment(
  context: Context,
  caller: Caller,
  id: string,
  verb: "delete" | "read",
): Promise<RoleAssignmentRow> {
  checkAssignmentId(id);
  requireRightSomewhere(context, caller, "roleAssignments", verb);
  const row = await findAssignment(context, id);
  if (row === undefined) throw assignmentNotFound(id);
  const { scope } = row;
  if (hasRight(context, caller, "roleAssignments", { verb, scope })) return row;
  if (!hasRight(context, caller, "roleAssignments", { verb: "read", scope })) {
    throw assignmentNotFound(id);
  }
  requireRight(context, caller, "roleAssignments", { verb, scope });
  return row;
}

/** Those that match the filter and that the caller may read, oldest first. */
export async function listRoleAssignments(
  context: Context,
  caller: Caller,
  filter: AssignmentFilter,
): Promise<readonly RoleAssignmentRow[]> {
  const rows = await context.store.db
    .selectFrom("roleAssignment")
    .selectAll()
    .orderBy("createdOn")
    .orderBy("id")
    .execute();
  const mayRead = ({ scope }: RoleAssignmentRow) =>
    hasRight(context, caller, "roleAssignments", { verb: "read", scope });
  return rows.filter((row) => filter(row) && mayRead(row));
}

/** The assignment with this id, whoever asks. */
export function findAssignment(
  { store }: Context,
  id: string,
): Promise<RoleAssignmentRow | undefined> {
  return store.db
    .selectFrom("roleAssignment")
    .selectAll()
    .where("id", "=", id.toLowerCase())
    .executeTakeFirst();
}

export function assignmentNotFound(id: string): Problem {
  return new Problem(404, "RoleAssignmentNotFound", `There is no role assignment ${id}.`);
}
