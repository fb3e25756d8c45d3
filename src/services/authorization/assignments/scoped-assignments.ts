import type { Caller } from "#platform/auth/caller.ts";
import { Problem } from "#platform/problem.ts";
import { audit, requireRight, type Context } from "../context.ts";
import type { AssignmentFilter } from "./filter.ts";
import { assignmentNotFound, findAssignment, listRoleAssignments } from "./find-assignments.ts";
import { checkAssignmentId } from "../identifiers.ts";
import { grantRole, takeBack } from "./role-assignments.ts";
import type { ScopedAssignmentProperties } from "../schema.ts";
import { covers, scopeKey } from "../access/scopes.ts";
import type { RoleAssignmentRow } from "../store.ts";

/** `{scope}/providers/Svc.Authorization/roleAssignments/{id}`. */
export interface AssignmentAddress {
  /** As `parseScope` returns it. */
  readonly scope: string;
  readonly id: string;
}

export interface PutResult {
  readonly assignment: RoleAssignmentRow;
  readonly isNew: boolean;
}

/**
 * Grants a role under an id that the caller chooses. A second id for the same grant is a conflict;
 * the same id again may change the description and nothing else.
 */
export async function putAssignment(
  context: Context,
  caller: Caller,
  { scope, id }: AssignmentAddress,
  properties: ScopedAssignmentProperties,
): Promise<PutResult> {
  checkAssignmentId(id);
  refuseUnsupported(properties);
  const { principalId, principalType = "Unknown", roleDefinitionId } = properties;
  const description = properties.description ?? "";
  const grant = { principalObjectId: principalId, principalType, roleDefinitionId, scope };
  return context
    .inTurn(async () => {
      requireRight(context, caller, "roleAssignments", { verb: "write", scope });
      const there = await findAssignment(context, id);
      if (there !== undefined) {
        refuseOtherGrant(context, there, grant);
        return { assignment: await describe(context, caller, there, description), isNew: false };
      }
      const { assignment, isNew } = await grantRole(context, caller, grant, { id, description });
      if (isNew) return { assignment, isNew };
      throw new Problem(
        409,
        "RoleAssignmentExists",
        `The same grant exists as the role assignment ${assignment.id}.`,
      );
    })
    .catch((error: unknown) => {
      throw asBadRequest(error);
    });
}

/** A condition narrows a grant: to leave it out would grant more than was asked for. */
function refuseUnsupported(properties: ScopedAssignmentProperties): void {
  for (const field of ["condition", "delegatedManagedIdentityResourceId"] as const) {
    const value = properties[field] ?? "";
    if (value === "") continue;
    throw new Problem(
      400,
      "UnsupportedProperty",
      `properties.${field} is not supported and must be absent or null; it is "${value}".`,
    );
  }
}

interface Wanted {
  readonly principalObjectId: string;
  readonly roleDefinitionId: string;
  readonly scope: string;
}

function refuseOtherGrant({ roles }: Context, there: RoleAssignmentRow, wanted: Wanted): void {
  const isSame =
    there.scopeKey === scopeKey(wanted.scope) &&
    there.roleDefinitionId === roles.resolve(wanted.roleDefinitionId)?.id &&
    there.principalObjectId === wanted.principalObjectId.toLowerCase();
  if (isSame) return;
  throw new Problem(
    403,
    "RoleAssignmentUpdateNotPermitted",
    `The role assignment ${there.id} exists; its principal, role and scope cannot be changed.`,
  );
}

async function describe(
  context: Context,
  caller: Caller,
  there: RoleAssignmentRow,
  description: string,
): Promise<RoleAssignmentRow> {
  if (description === there.description) return there;
  const assignment = { ...there, description };
  await context.store.write(async (transaction) => {
    await transaction
      .updateTable("roleAssignment")
      .set({ description })
      .where("id", "=", there.id)
      .execute();
    const what = { operation: "Svc.Authorization/roleAssignments/write", subject: assignment };
    await audit(transaction, context, caller.objectId, what);
  });
  return assignment;
}

/** This interface answers 400 where a named role or principal is missing. */
function asBadRequest(error: unknown): unknown {
  if (!(error instanceof Problem) || error.statusCode !== 404) return error;
  const isRole = error.code === "RoleDefinitionNotFound";
  return new Problem(400, isRole ? "RoleDefinitionDoesNotExist" : error.code, error.message);
}

/** The assignment made at exactly this scope, for a caller who may read assignments there. */
export async function getAssignmentAt(
  context: Context,
  caller: Caller,
  { scope, id }: AssignmentAddress,
): Promise<RoleAssignmentRow> {
  checkAssignmentId(id);
  requireRight(context, caller, "roleAssignments", { verb: "read", scope });
  const row = await findAssignment(context, id);
  if (row?.scopeKey === scopeKey(scope)) return row;
  throw assignmentNotFound(id);
}

/** What was deleted; undefined when there is no such assignment at exactly this scope. */
export async function deleteAssignmentAt(
  context: Context,
  caller: Caller,
  { scope, id }: AssignmentAddress,
): Promise<RoleAssignmentRow | undefined> {
  checkAssignmentId(id);
  return context.inTurn(async () => {
    requireRight(context, caller, "roleAssignments", { verb: "delete", scope });
    const row = await findAssignment(context, id);
    if (row?.scopeKey !== scopeKey(scope)) return undefined;
    await takeBack(context, caller, row);
    return row;
  });
}

/** Assignments at, above and below the scope, as far as the caller may read each of them. */
export async function listAssignmentsAt(
  context: Context,
  caller: Caller,
  scope: string,
  filter: AssignmentFilter,
): Promise<readonly RoleAssignmentRow[]> {
  requireRight(context, caller, "roleAssignments", { verb: "read", scope });
  const key = scopeKey(scope);
  const isRelated = (row: RoleAssignmentRow) =>
    covers(row.scopeKey, key) || covers(key, row.scopeKey);
  return listRoleAssignments(context, caller, (row) => isRelated(row) && filter(row));
}
