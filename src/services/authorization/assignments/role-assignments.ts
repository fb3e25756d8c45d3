import type { Caller } from "#platform/auth/caller.ts";
import type { RoleDefinition } from "#platform/auth/roles.ts";
import { Problem } from "#platform/problem.ts";
import { audit, requireRight, type Context } from "../context.ts";
import { requireAssignment } from "./find-assignments.ts";
import { keepAnOwner } from "./owners.ts";
import type { RoleAssignmentRequest } from "../schema.ts";
import { covers, parseScope, scopeKey } from "../access/scopes.ts";
import type { RoleAssignmentRow } from "../store.ts";

/** Across all scopes. The index holds all of them in memory. */
export const ASSIGNMENTS_MAX = 20_000;

/** What a grant may say about itself; the caller of the resource-scoped interface names it. */
export interface GrantLabel {
  /** UUID, unused. */
  readonly id?: string;
  readonly description?: string;
}

export interface Granted {
  readonly assignment: RoleAssignmentRow;
  readonly role: RoleDefinition;
  /** False when the same grant was there before. */
  readonly isNew: boolean;
}

/**
 * Grants a role to a principal at a scope.
 *
 * A client that never saw the answer sends the request again, so the same grant twice is one
 * grant and not an error; the caller of this function sees which it was.
 */
export function createRoleAssignment(
  context: Context,
  caller: Caller,
  request: RoleAssignmentRequest,
): Promise<Granted> {
  return context.inTurn(() => grantRole(context, caller, request, {}));
}

/** The same, for whoever has the turn. */
export async function grantRole(
  context: Context,
  caller: Caller,
  request: RoleAssignmentRequest,
  { id = context.environment.newId(), description = "" }: GrantLabel,
): Promise<Granted> {
  const scope = parseScope(request.scope);
  requireRight(context, caller, "roleAssignments", { verb: "write", scope });
  const role = roleToAssign(context, request.roleDefinitionId, scope);
  const principalType = principalToGrant(context, request);
  const assignment: RoleAssignmentRow = {
    id: id.toLowerCase(),
    principalObjectId: request.principalObjectId.toLowerCase(),
    principalType,
    roleDefinitionId: role.id,
    scope,
    scopeKey: scopeKey(scope),
    description,
    createdOn: context.environment.now().toISOString(),
    createdBy: caller.objectId,
  };
  const same = await findSame(context, assignment);
  if (same !== undefined) return { assignment: same, role, isNew: false };
  await checkLimit(context);
  await context.store.write(async (transaction) => {
    await transaction.insertInto("roleAssignment").values(assignment).execute();
    const what = { operation: "Svc.Authorization/roleAssignments/write", subject: assignment };
    await audit(transaction, context, caller.objectId, what);
  });
  context.index.add(assignment);
  return { assignment, role, isNew: true };
}

function findSame({ store }: Context, assignment: RoleAssignmentRow) {
  return store.db
    .selectFrom("roleAssignment")
    .selectAll()
    .where("principalObjectId", "=", assignment.principalObjectId)
    .where("roleDefinitionId", "=", assignment.roleDefinitionId)
    .where("scopeKey", "=", assignment.scopeKey)
    .executeTakeFirst();
}

/** Refuses with 400 when there are as many as there may be. */
export async function checkLimit({ store }: Context): Promise<void> {
  const { count } = await store.db
    .selectFrom("roleAssignment")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (count < ASSIGNMENTS_MAX) return;
  throw new Problem(
    400,
    "RoleAssignmentLimitExceeded",
    `There are ${count} role assignments, and there can be no more than ${ASSIGNMENTS_MAX}.`,
  );
}

function roleToAssign({ roles }: Context, asked: string, scope: string): RoleDefinition {
  const role = roles.resolve(asked);
  if (role === undefined) {
    throw new Problem(404, "RoleDefinitionNotFound", `There is no role definition ${asked}.`);
  }
  const key = scopeKey(scope);
  if (!role.assignableScopes.some((outer) => covers(scopeKey(outer), key))) {
    throw new Problem(
      400,
      "RoleDefinitionNotAssignable",
      `The role ${role.roleName} may be assigned at and below ` +
        `${role.assignableScopes.join(", ")} only, not at ${scope}.`,
    );
  }
  return role;
}

function principalToGrant(context: Context, request: RoleAssignmentRequest): string {
  const { principalObjectId, principalType } = request;
  const kind = context.principalKind(principalObjectId.toLowerCase());
  if (kind === undefined) {
    throw new Problem(404, "PrincipalNotFound", `There is no principal ${principalObjectId}.`);
  }
  if (principalType !== "Unknown" && principalType !== kind) {
    throw new Problem(
      400,
      "PrincipalTypeMismatch",
      `The principal ${principalObjectId} is a ${kind}, not a ${principalType} (principalType).`,
    );
  }
  return kind;
}

/** Takes a grant back; the very next request of the principal is decided without it. */
export function deleteRoleAssignment(context: Context, caller: Caller, id: string): Promise<void> {
  return context.inTurn(async () => {
    const assignment = await requireAssignment(context, caller, id, "delete");
    await takeBack(context, caller, assignment);
  });
}

/** The same for an assignment that was found, for whoever has the turn. */
export async function takeBack(
  context: Context,
  caller: Caller,
  assignment: RoleAssignmentRow,
): Promise<void> {
  await keepAnOwner(context, [assignment]);
  await context.store.write(async (transaction) => {
    await transaction.deleteFrom("roleAssignment").where("id", "=", assignment.id).execute();
    const operation = "Svc.Authorization/roleAssignments/delete";
    await audit(transaction, context, caller.objectId, { operation, subject: assignment });
  });
  context.index.remove(assignment);
}
