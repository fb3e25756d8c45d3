import type { Transaction } from "kysely";
import type { Caller } from "#platform/auth/caller.ts";
import type { RoleDefinition } from "#platform/auth/roles.ts";
import { Problem } from "#platform/problem.ts";
import { audit, mayRead, requireRight, type Context } from "./context.ts";
import { OWNER_ROLE_ID } from "./general-roles.ts";
import type { AssignmentFilter } from "./filter.ts";
import type { RoleAssignmentRequest } from "./schema.ts";
import { covers, parseScope, scopeKey } from "./scopes.ts";
import type { AuthorizationTables, RoleAssignmentRow } from "./store.ts";

/** Across all scopes. The index holds all of them in memory. */
export const ASSIGNMENTS_MAX = 20_000;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

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
export async function createRoleAssignment(
  context: Context,
  caller: Caller,
  request: RoleAssignmentRequest,
  id: string = context.environment.newId(),
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
    createdOn: context.environment.now().toISOString(),
    createdBy: caller.objectId,
  };
  const stored = await context.store.write((transaction) =>
    insertOnce(transaction, context, assignment),
  );
  const isNew = stored.id === assignment.id;
  if (isNew) context.index.add(stored);
  return { assignment: stored, role, isNew };
}

async function insertOnce(
  transaction: Transaction<AuthorizationTables>,
  context: Context,
  assignment: RoleAssignmentRow,
): Promise<RoleAssignmentRow> {
  const same = await transaction
    .selectFrom("roleAssignment")
    .selectAll()
    .where("principalObjectId", "=", assignment.principalObjectId)
    .where("roleDefinitionId", "=", assignment.roleDefinitionId)
    .where("scopeKey", "=", assignment.scopeKey)
    .executeTakeFirst();
  if (same !== undefined) return same;
  const { count } = await transaction
    .selectFrom("roleAssignment")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (count >= ASSIGNMENTS_MAX) {
    throw new Problem(
      400,
      "RoleAssignmentLimitExceeded",
      `There are ${count} role assignments, and there can be no more than ${ASSIGNMENTS_MAX}.`,
    );
  }
  await transaction.insertInto("roleAssignment").values(assignment).execute();
  const what = { operation: "Svc.Authorization/roleAssignments/write", subject: assignment };
  await audit(transaction, context, assignment.createdBy, what);
  return assignment;
}

function roleToAssign({ roles }: Context, asked: string, scope: string): RoleDefinition {
  const id = asked.split("/").at(-1) ?? asked;
  const role = roles.find(id) ?? roles.findByName(asked);
  if (role === undefined) {
    throw new Problem(404, "RoleDefinitionNotFound", `There is no role definition ${asked}.`);
  }
  const key = scopeKey(scope);
  if (!role.assignableScopes.some((outer) => covers(scopeKey(outer), key))) {
    throw new Problem(
      400,
      "RoleDefinitionNotAssignable",
      `The role ${role.roleName} may be assigned at and below ${role.assignableScopes.join(", ")} ` +
        `only, not at ${scope}.`,
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
export async function deleteRoleAssignment(
  context: Context,
  caller: Caller,
  id: string,
): Promise<RoleAssignmentRow> {
  const assignment = await findAssignment(context, id);
  const { scope } = assignment;
  requireRight(context, caller, "roleAssignments", { verb: "delete", scope });
  const isDeleted = await context.store.write(async (transaction) => {
    await keepAnOwner(transaction, assignment);
    const { numDeletedRows } = await transaction
      .deleteFrom("roleAssignment")
      .where("id", "=", assignment.id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return false;
    const operation = "Svc.Authorization/roleAssignments/delete";
    await audit(transaction, context, caller.objectId, { operation, subject: assignment });
    return true;
  });
  if (!isDeleted) throw assignmentNotFound(id);
  context.index.remove(assignment);
  return assignment;
}

/** Without any owner of the root, nobody could ever grant anything there again. */
async function keepAnOwner(
  transaction: Transaction<AuthorizationTables>,
  assignment: RoleAssignmentRow,
): Promise<void> {
  if (assignment.roleDefinitionId !== OWNER_ROLE_ID || assignment.scopeKey !== "") return;
  const another = await transaction
    .selectFrom("roleAssignment")
    .select("id")
    .where("roleDefinitionId", "=", OWNER_ROLE_ID)
    .where("scopeKey", "=", "")
    .where("id", "!=", assignment.id)
    .executeTakeFirst();
  if (another !== undefined) return;
  throw new Problem(
    400,
    "LastOwnerAssignment",
    `The assignment ${assignment.id} is the last one of Owner at /; grant another one first.`,
  );
}

export async function getRoleAssignment(
  context: Context,
  caller: Caller,
  id: string,
): Promise<RoleAssignmentRow> {
  const assignment = await findAssignment(context, id);
  const { scope } = assignment;
  requireRight(context, caller, "roleAssignments", { verb: "read", scope });
  return assignment;
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
  return rows.filter(
    (row) => filter(row) && mayRead(context, caller, "roleAssignments", row.scope),
  );
}

/** The assignment with this id, whoever asks. An id is too random to be guessed. */
export async function findAssignment(context: Context, id: string): Promise<RoleAssignmentRow> {
  if (!UUID.test(id)) {
    throw new Problem(400, "InvalidRoleAssignmentId", `The id "${id}" is not a UUID.`);
  }
  const row = await context.store.db
    .selectFrom("roleAssignment")
    .selectAll()
    .where("id", "=", id.toLowerCase())
    .executeTakeFirst();
  if (row === undefined) throw assignmentNotFound(id);
  return row;
}

function assignmentNotFound(id: string): Problem {
  return new Problem(404, "RoleAssignmentNotFound", `There is no role assignment ${id}.`);
}
